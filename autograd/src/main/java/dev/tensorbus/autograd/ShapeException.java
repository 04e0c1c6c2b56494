// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// Tells that an operation was given shapes that do not fit, which ones, and the rule they break.
public final class ShapeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /// Makes an exception whose message reads `operation: what is wrong`.
  public ShapeException(String operation, String problem) {
    super(operation + ": " + problem);
  }
}
