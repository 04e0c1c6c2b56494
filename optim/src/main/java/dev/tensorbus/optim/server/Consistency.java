// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import io.vertx.core.Future;

/// Decides when a push is applied and when its trainer may continue. A trainer pulls only after its
/// push has been answered, so the answer also determines which versions the pull may return.
///
/// Implementations are thread-safe. They combine the pushes of a step in the order of the trainers'
/// names, so that equal pushes yield bit-identical results.
interface Consistency {
  /// Accepts a push.
  ///
  /// @return a future of the version after the step that applies the push; it completes when the
  ///     trainer may continue
  Future<Long> push(CheckedPush push);

  /// Withdraws a trainer's push, if it has not been applied yet.
  default void withdraw(String trainer) {}
}
