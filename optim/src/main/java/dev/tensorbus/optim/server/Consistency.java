// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import io.vertx.core.Future;

/// Decides when a push counts and when its trainer may go on. A trainer pulls after its push is
/// answered, so the answer decides also what the pull may return.
///
/// Implementations are safe for any number of threads. They step by the pushes that count together,
/// in the order of the trainers' names, so that equal pushes give equal bits.
interface Consistency {
  /// Takes a push.
  ///
  /// @return a future of the version after the step in which the push counts; it completes when the
  ///     trainer may go on
  Future<Long> push(CheckedPush push);

  /// Takes a trainer's push out of those that do not count yet.
  default void withdraw(String trainer) {}
}
