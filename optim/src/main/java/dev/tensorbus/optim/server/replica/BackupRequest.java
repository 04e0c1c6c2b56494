// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.slot.Part;
import org.jspecify.annotations.Nullable;

/// A request of a part's primary to one of its backups. The answer says whether the backup has
/// carried it out. It has not if another server is the primary by now, or its replica differs.
public sealed interface BackupRequest {
  /// Returns the part.
  Part part();

  /// Returns the term of the primary, as the slot map has it.
  long term();

  /// Asks whether the backup's replica has exactly the entries of the primary, and announces the
  /// primary of a new term.
  ///
  /// @param length the number of the primary's entries; 0 if the part is not defined yet
  record Compare(Part part, long term, long length) implements BackupRequest {}

  /// Replaces the backup's replica.
  ///
  /// @param snapshot the new one, or null if the part is not defined yet
  record Fill(Part part, long term, Replica.@Nullable Snapshot snapshot) implements BackupRequest {}

  /// Adds an entry. It is applied after all earlier ones, which may arrive later.
  ///
  /// @param number the entry's number, from 1
  record Append(Part part, long term, long number, LogEntry entry) implements BackupRequest {}
}
