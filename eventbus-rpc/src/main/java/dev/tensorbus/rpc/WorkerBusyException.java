// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// The worker runs its maximum of calls, and this one was not to be queued, or the queue is full.
/// The method has not run.
public final class WorkerBusyException extends RpcException {
  private static final long serialVersionUID = 1L;

  /// Creates an exception that names the busy worker.
  ///
  /// @param running what the worker reports about its calls
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
