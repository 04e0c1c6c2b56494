// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.WorkerInfo;
import java.util.concurrent.CancellationException;

/// Creates the errors of calls that are not answered.
///
/// @param self the calling worker
record CallErrors(WorkerInfo self) {
  /// Returns the error of a call that was pending when its callee left.
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

  /// Returns the error of a call to an object whose owner has been replaced by another worker of
  /// the same name.
  static NoSuchWorkerException replaced(PendingCall<?> call) {
    String name = call.target().worker();
    return new NoSuchWorkerException(
        name,
        name
            + ", which owned the object that "
            + call.function()
            + " is for, has left; another worker now has its name",
        false);
  }

  /// Returns the error of a call that was pending when the calling worker itself left.
  NoSuchWorkerException closed(PendingCall<?> call) {
    return new NoSuchWorkerException(
        self.name(), self + " has left the world while waiting for " + call.function(), true);
  }

  /// Returns the error of a call that its caller cancelled.
  CancellationException cancelled(PendingCall<?> call) {
    return new CancellationException(
        self
            + " cancelled "
            + call.function()
            + " on "
            + call.to().info()
            + "; the method may have run");
  }
}
