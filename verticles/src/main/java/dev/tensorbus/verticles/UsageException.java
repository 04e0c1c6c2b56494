// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

/// A user asked for something that cannot be; the message says what was given, what was expected
/// and what to do.
public final class UsageException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /// With a message for the user.
  public UsageException(String message) {
    super(message);
  }
}
