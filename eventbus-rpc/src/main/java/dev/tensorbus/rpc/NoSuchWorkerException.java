// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// Thrown when a worker does not exist or has left the world.
public final class NoSuchWorkerException extends RpcException {
  private static final long serialVersionUID = 1L;

  private final String worker;

  /// Creates an exception with the name of the missing worker.
  public NoSuchWorkerException(String worker, String message, boolean mayHaveRun) {
    super(message, null, mayHaveRun);
    this.worker = worker;
  }

  /// Returns the name of the missing worker.
  public String worker() {
    return worker;
  }
}
