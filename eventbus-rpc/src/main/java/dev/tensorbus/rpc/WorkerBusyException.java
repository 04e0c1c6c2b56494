// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// Thrown when the callee already runs its maximum number of calls, and the call must not be queued
/// or the queue is full. The method has not run.
public final class WorkerBusyException extends RpcException {
  private static final long serialVersionUID = 1L;

  /// Creates an exception that names the busy worker.
  ///
  /// @param running the worker's description of its load
  public WorkerBusyException(String worker, String function, String running) {
    super(
        worker
            + " is too busy for "
            + function
            + ": "
            + running
            + "; retry later, let the call be queued (the default), or raise the worker's"
            + " RpcOptions.withMaxCalls",
        null,
        false);
  }
}
