// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

/// Thrown when the shapes given to an operation are incompatible. The message names them and
/// the violated rule.
public final class ShapeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /// Creates an exception with the message `operation: problem`.
  public ShapeException(String operation, String problem) {
    super(operation + ": " + problem);
  }
}
