// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import org.jspecify.annotations.Nullable;

/// The base class of all failures of remote calls. The subtype says what failed.
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

  /// Returns whether the method may have run, or may still be running. If not, it is safe to repeat
  /// the call.
  public boolean mayHaveRun() {
    return mayHaveRun;
  }
}
