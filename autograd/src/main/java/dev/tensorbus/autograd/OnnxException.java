// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// Thrown if ONNX Runtime is missing or fails, or a model cannot be written, read or computed.
public final class OnnxException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// Creates an exception with its cause.
  public OnnxException(String message, Throwable cause) {
    super(message, cause);
  }

  /// Creates an exception.
  public OnnxException(String message) {
    super(message);
  }
}
