// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.io.Serial;

/// Thrown if a data set cannot be used. The message is one line for the user: it names the file or
/// folder, what is wrong with it, and what to do.
public final class DataException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /// Creates an exception with a message for the user.
  public DataException(String message) {
    super(message);
  }

  /// Creates an exception with a message for the user and a cause.
  public DataException(String message, Throwable cause) {
    super(message, cause);
  }
}
