// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import io.vertx.core.Future;

/// The parameters of a [ModelServer]: on its own worker, or on [ParameterServer]s. Thread-safe.
///
/// The pushes of a trainer that leaves the members end with it.
interface ServedParameters extends AutoCloseable {
  /// Returns the newest version, with the model's buffers. May block.
  Version now();

  /// Adds a trainer, which the members have already. May block.
  void join(String trainer);

  /// Checks that [#push] is possible.
  ///
  /// @throws ModelServerException if trainers can only push to rounds
  void requireAtOnce();

  /// Takes a step with these gradients immediately.
  ///
  /// @return a future of the version after the step
  Future<Long> push(CheckedPush push);

  /// Adds gradients to a step, as the consistency requires.
  ///
  /// @return a future of the version that the trainer may pull, which completes when it may
  ///     continue
  Future<Long> pushRound(CheckedPush push);

  /// Withdraws a trainer's push from the current round.
  void withdraw(String trainer);

  /// Lets a step whose mean gradient is not finite be skipped.
  void skipNonFinite();

  @Override
  void close();
}
