// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.slot.Life;
import java.util.Collections;
import java.util.List;

/// A message from the primary of some parts to one of their backups.
///
/// @param epoch the epoch of the primary's map
public record BackupMessage(Life to, long epoch, List<BackupRequest> requests) {
  /// Copies the list.
  public BackupMessage {
    requests = List.copyOf(requests);
  }

  /// Returns the answer of a server that carries out none of the requests.
  public List<Boolean> refused() {
    return List.copyOf(Collections.nCopies(requests.size(), false)); // of a type that can be sent
  }
}
