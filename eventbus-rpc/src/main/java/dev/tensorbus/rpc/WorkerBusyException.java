// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// The worker runs as many calls as it admits, and this one was not to wait, or too many wait. It
/// has not run.
public final class WorkerBusyException extends RpcException {
  private static final long serialVersionUID = 1L;

  /// Tells which worker has no room.
  ///
  /// @param running what the worker says of its calls
  public WorkerBusyException(String worker, String function, String running) {
    super(
        worker
            + " is too busy for "
            + function
            + ": "
            + running
            + "; call later, wait for room (the default), or give it RpcOptions.withMaxCalls",
        null,
        false);
  }
}
