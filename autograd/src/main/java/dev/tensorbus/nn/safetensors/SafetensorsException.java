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
}
