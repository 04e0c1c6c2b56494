// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import java.io.Serial;

/// A safetensors file cannot be used or written. The message is one line for the user: which
/// file, what is wrong with it, what to do.
public final class SafetensorsException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  SafetensorsException(String message) {
    super(message);
  }

  SafetensorsException(String message, Throwable cause) {
    super(message, cause);
  }

  /// A file that is no such file, without its name.
  static SafetensorsException damaged(String problem) {
    return new SafetensorsException(problem + "; save or fetch it again");
  }

  static SafetensorsException damaged(String problem, Throwable cause) {
    return new SafetensorsException(problem + "; save or fetch it again", cause);
  }
}
