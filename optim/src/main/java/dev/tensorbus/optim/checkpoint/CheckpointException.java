// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.checkpoint;

import java.io.Serial;

/// A checkpoint cannot be saved, or not be gone on from. The message is one line for the user:
/// which folder, what is wrong, what to do.
public final class CheckpointException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  CheckpointException(String message) {
    super(message);
  }

  CheckpointException(String message, Throwable cause) {
    super(message, cause);
  }
}
