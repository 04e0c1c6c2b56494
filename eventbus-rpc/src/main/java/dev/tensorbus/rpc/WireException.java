// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import org.jspecify.annotations.Nullable;

/// A message could not be encoded, or bytes that came could not be decoded.
public final class WireException extends RpcException {
  private static final long serialVersionUID = 1L;

  /// Tells what is wrong with the message.
  public WireException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
