// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import java.io.Serial;

/// Thrown if a safetensors file cannot be read or written. The message is one line for the user:
/// the file, the problem, and what to do.
public final class SafetensorsException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  SafetensorsException(String message) {
    super(message);
  }

  SafetensorsException(String message, Throwable cause) {
    super(message, cause);
  }

  /// Returns an exception for a damaged file, whose name the caller adds to the message.
  static SafetensorsException damaged(String problem) {
    return new SafetensorsException(problem + "; save or download it again");
  }

  static SafetensorsException damaged(String problem, Throwable cause) {
    return new SafetensorsException(problem + "; save or download it again", cause);
  }
}
