// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import java.io.Serial;

/// Thrown if a checkpoint cannot be saved or restored. The message is one line for the user: it
/// names the folder, what is wrong, and what to do.
public final class CheckpointException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  CheckpointException(String message) {
    super(message);
  }

  CheckpointException(String message, Throwable cause) {
    super(message, cause);
  }
}
