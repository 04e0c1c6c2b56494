// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.replica.BackupRequest.Append;
import dev.tensorbus.optim.server.replica.BackupRequest.Compare;
import dev.tensorbus.optim.server.replica.BackupRequest.Fill;
import dev.tensorbus.optim.server.slot.Life;
import dev.tensorbus.optim.server.slot.Part;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The entries of a part on its primary. An entry is committed, and applied here, when all backups
/// have it.
final class EntryLog {
  private final Part part;
  private final long term;
  private final Host host;

  /// The servers without which no entry is committed.
  private final Set<Life> required = new HashSet<>();

  /// The copies to servers that are no backups yet.
  private final Map<Life, Copy> copies = new TreeMap<>();

  /// The servers that receive all entries.
  private final Set<Life> receivers = new TreeSet<>();

  private final SortedMap<Long, Pending> pending = new TreeMap<>();
  private @Nullable Replica replica;
  private long last;

  /// A copy on its way to a server, or received there.
  private static final class Copy {
    private boolean isRequired;
  }

  /// An entry that is not committed yet.
  ///
  /// @param holders the servers that have it
  private record Pending(LogEntry entry, Set<Life> holders, Runnable committed) {
    private Pending then(Runnable next) {
      Runnable both =
          () -> {
            committed.run();
            next.run();
          };
      return new Pending(entry, holders, both);
    }
  }

  /// @param replica the replica of this server, or null if the part is not defined yet
  EntryLog(Part part, long term, @Nullable Replica replica, Host host) {
    this.part = part;
    this.term = term;
    this.replica = replica;
    this.host = host;
    this.last = replica == null ? 0 : replica.length();
  }

  /// Returns this server's replica, or null if the part is not defined yet.
  @Nullable Replica replica() {
    return replica;
  }

  /// Adds an entry.
  ///
  /// @param committed runs when the entry has been applied
  void append(LogEntry entry, Runnable committed) {
    long number = ++last;
    Pending one = new Pending(entry, new HashSet<>(), committed);
    pending.put(number, one);
    receivers.forEach(server -> send(server, number, one));
    commit();
  }

  /// Runs an action when all entries that were added before have been applied.
  void afterAll(Runnable action) {
    if (pending.isEmpty()) {
      action.run();
    } else {
      pending.compute(pending.lastKey(), (_, last) -> Objects.requireNonNull(last).then(action));
    }
  }

  /// Sets the servers that must have each entry, this one excluded.
  ///
  /// @param wanted the servers that should have the part
  void setBackups(Collection<Life> backups, Collection<Life> wanted) {
    copies.keySet().retainAll(wanted);
    copies.keySet().removeAll(backups);
    receivers.removeIf(server -> !backups.contains(server) && !copies.containsKey(server));
    required.clear();
    required.addAll(backups);
    copies.forEach(this::requireIfReceived);
    backups.stream().filter(backup -> !receivers.contains(backup)).forEach(this::compare);
    commit();
  }

  private void requireIfReceived(Life server, Copy copy) {
    if (copy.isRequired) {
      required.add(server);
    }
  }

  /// Sends a server a copy, and all entries from then on.
  ///
  /// @param filled runs when the server has the copy and all entries that are committed. From then
  ///     on, no entry is committed without it
  void fill(Life server, Runnable filled) {
    Copy copy = new Copy();
    copies.put(server, copy);
    copy.isRequired = last == 0; // nothing has to be copied
    requireIfReceived(server, copy);
    sendCopy(
        server,
        () -> {
          if (copies.get(server) == copy) { // else the server is not wanted any more
            copy.isRequired = true;
            requireIfReceived(server, copy);
            if (last == 0) {
              filled.run();
            } else {
              append(new LogEntry.NoOp(), filled); // the server may lack entries that are committed
            }
          }
        });
  }

  /// Sends the entries to a backup if it has all earlier ones, and a copy first if it has not.
  private void compare(Life backup) {
    host.send(
        backup,
        new Compare(part, term, replica == null ? 0 : replica.length()),
        isEqual -> {
          if (isEqual) {
            addReceiver(backup);
          } else {
            sendCopy(backup, () -> {});
          }
        });
  }

  private void sendCopy(Life server, Runnable received) {
    Fill copy = new Fill(part, term, replica == null ? null : replica.snapshot());
    host.send(
        server,
        copy,
        isDone -> {
          if (isDone) {
            received.run();
          }
        });
    addReceiver(server); // at once, since entries may be committed before the copy has arrived
  }

  private void addReceiver(Life server) {
    receivers.add(server);
    pending.forEach((number, one) -> send(server, number, one));
  }

  private void send(Life server, long number, Pending one) {
    host.send(
        server,
        new Append(part, term, number, one.entry()),
        isDone -> {
          if (isDone) {
            one.holders().add(server);
            commit();
          }
        });
  }

  private void commit() {
    while (!pending.isEmpty()) {
      Pending first = Objects.requireNonNull(pending.get(pending.firstKey()));
      if (!first.holders().containsAll(required)) {
        return;
      }
      pending.remove(pending.firstKey());
      apply(first.entry());
      first.committed().run();
    }
  }

  private void apply(LogEntry entry) {
    if (entry instanceof LogEntry.Defined first) {
      replica = new Replica(first);
    } else {
      Objects.requireNonNull(replica).apply(entry);
    }
  }
}
