// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.WorkerInfo;
import java.util.concurrent.CancellationException;

/// The errors of calls that nobody answers.
///
/// @param self the worker that calls
record CallErrors(WorkerInfo self) {
  /// The worker left while the call was pending.
  NoSuchWorkerException lost(PendingCall<?> call, String how) {
    String name = call.to().info().name();
    return new NoSuchWorkerException(
        name,
        name
            + " "
            + how
            + " while "
            + self
            + " waited for "
            + call.function()
            + "; the method may have run",
        true);
  }

  /// The worker that owned the object has left, and another one has its name.
  static NoSuchWorkerException replaced(PendingCall<?> call) {
    String name = call.target().worker();
    return new NoSuchWorkerException(
        name,
        name
            + ", which owned the object that "
            + call.function()
            + " is for, has left; the worker of that name today is another",
        false);
  }

  /// The calling worker itself has left.
  NoSuchWorkerException closed(PendingCall<?> call) {
    return new NoSuchWorkerException(
        self.name(),
        self + " has left the world; nobody takes the answer of " + call.function(),
        true);
  }

  /// The caller cancelled the call.
  CancellationException cancelled(PendingCall<?> call) {
    return new CancellationException(
        self
            + " gave up "
            + call.function()
            + " on "
            + call.to().info()
            + "; the method may have run");
  }
}
