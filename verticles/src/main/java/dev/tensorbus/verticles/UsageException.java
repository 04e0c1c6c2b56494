// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

/// Thrown for invalid user input. The message says what was given, what was expected and what to
/// do.
public final class UsageException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /// Creates an exception with a message for the user.
  public UsageException(String message) {
    super(message);
  }
}
