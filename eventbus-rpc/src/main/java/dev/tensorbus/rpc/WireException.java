// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import org.jspecify.annotations.Nullable;

/// Thrown when a message could not be encoded, or received bytes could not be decoded.
public final class WireException extends RpcException {
  private static final long serialVersionUID = 1L;

  /// Creates an exception that says what is wrong with the message.
  public WireException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  /// Creates an exception for the answer of a method that may have run.
  public WireException(String message, @Nullable Throwable cause, boolean mayHaveRun) {
    super(message, cause, mayHaveRun);
  }
}
