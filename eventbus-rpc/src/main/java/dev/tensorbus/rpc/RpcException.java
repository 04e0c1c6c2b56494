// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import org.jspecify.annotations.Nullable;

/// Tells that a call did not succeed; the type says who failed.
public abstract sealed class RpcException extends RuntimeException
    permits RemoteException,
        RpcTimeoutException,
        NoSuchWorkerException,
        EvictedException,
        WorkerBusyException,
        WireException,
        RendezvousException {
  private static final long serialVersionUID = 1L;

  private final boolean mayHaveRun;

  RpcException(String message, @Nullable Throwable cause, boolean mayHaveRun) {
    super(message, cause);
    this.mayHaveRun = mayHaveRun;
  }

  /// Whether the method can have run, or can still be running. If not, the call may be made again
  /// without harm.
  public boolean mayHaveRun() {
    return mayHaveRun;
  }
}
