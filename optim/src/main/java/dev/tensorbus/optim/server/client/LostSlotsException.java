// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.client;

import java.time.Duration;

/// Thrown if parameters are on no server.
public final class LostSlotsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// All servers of some slots have died.
  LostSlotsException(int slots) {
    super(
        "all servers of %d slots have died; start the world again from a checkpoint, and give each"
                .formatted(slots)
            + " slot more backups");
  }

  /// No server has answered in time.
  LostSlotsException(int slots, Duration patience) {
    super(
        "no parameter server answered for %d slots within %d s; check that a majority of the servers"
                .formatted(slots, patience.toSeconds())
            + " is alive");
  }
}
