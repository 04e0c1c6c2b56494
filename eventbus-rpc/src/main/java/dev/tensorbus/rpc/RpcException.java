// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import org.jspecify.annotations.Nullable;

/// Tells that a call did not succeed; the type says who failed.
public abstract sealed class RpcException extends RuntimeException
    permits RemoteException,
        RpcTimeoutException,
        NoSuchWorkerException,
        WireException,
        RendezvousException {
  private static final long serialVersionUID = 1L;

  RpcException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
