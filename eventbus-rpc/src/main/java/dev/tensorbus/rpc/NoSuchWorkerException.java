// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

/// The worker does not exist or has left the world.
public final class NoSuchWorkerException extends RpcException {
  private static final long serialVersionUID = 1L;

  private final String worker;

  /// Tells which worker is missing and what that means for the caller.
  public NoSuchWorkerException(String worker, String message, boolean mayHaveRun) {
    super(message, null, mayHaveRun);
    this.worker = worker;
  }

  /// The worker that is missing.
  public String worker() {
    return worker;
  }
}
