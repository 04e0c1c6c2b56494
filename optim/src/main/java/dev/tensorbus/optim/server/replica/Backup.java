// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.replica;

import dev.tensorbus.optim.server.replica.BackupRequest.Append;
import dev.tensorbus.optim.server.replica.BackupRequest.Compare;
import dev.tensorbus.optim.server.replica.BackupRequest.Fill;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A part on one of its backups. Requests may arrive in any order, and more than once.
final class Backup {
  private @Nullable Replica replica;
  private long term;

  /// Whether the replica has only entries of the current term's primary or those that it continues.
  private boolean isEqual;

  /// By number: the entries that wait for earlier ones.
  private final SortedMap<Long, Waiting> waiting = new TreeMap<>();

  private record Waiting(LogEntry entry, Promise<Boolean> answer) {}

  private final Host host;

  Backup(@Nullable Replica replica, Host host) {
    this.replica = replica;
    this.host = host;
  }

  /// Returns the replica, or null if the part is not defined yet.
  @Nullable Replica replica() {
    return replica;
  }

  /// Carries out a request. Returns a future of whether it was carried out.
  Future<Boolean> handle(BackupRequest request) {
    if (request.term() < term) {
      return Future.succeededFuture(false);
    }
    if (request.term() > term) {
      startTerm(request.term());
    }
    return switch (request) {
      case Compare compare -> Future.succeededFuture(compare(compare.length()));
      case Fill fill -> fill(fill.snapshot());
      case Append append -> append(append.number(), append.entry());
    };
  }

  private void startTerm(long next) {
    term = next;
    isEqual = false;
    refuseWaiting();
  }

  /// Refuses the entries that wait for earlier ones.
  void refuseWaiting() {
    waiting.values().forEach(one -> complete(one, false));
    waiting.clear();
  }

  private void complete(Waiting one, boolean isDone) {
    host.unlocked(() -> one.answer().complete(isDone));
  }

  private boolean compare(long length) {
    isEqual |= length() == length;
    return isEqual;
  }

  private Future<Boolean> fill(Replica.@Nullable Snapshot snapshot) {
    long wanted = snapshot == null ? 0 : snapshot.length();
    if (!isEqual || length() < wanted) { // else this request has come late, or twice
      replica = snapshot == null ? null : Replica.of(snapshot);
      isEqual = true;
      applyWaiting();
    }
    return Future.succeededFuture(true);
  }

  private Future<Boolean> append(long number, LogEntry entry) {
    if (isEqual && number <= length()) {
      return Future.succeededFuture(true); // it has come twice
    }
    Waiting before = waiting.get(number);
    Promise<Boolean> answer = before == null ? Promise.promise() : before.answer();
    waiting.put(number, new Waiting(entry, answer));
    applyWaiting();
    return answer.future();
  }

  private void applyWaiting() {
    while (isEqual && !waiting.isEmpty() && waiting.firstKey() <= length() + 1) {
      boolean isNew = waiting.firstKey() == length() + 1;
      Waiting next = Objects.requireNonNull(waiting.remove(waiting.firstKey()));
      if (isNew) {
        apply(next.entry());
      }
      complete(next, true);
    }
  }

  private void apply(LogEntry entry) {
    if (entry instanceof LogEntry.Defined first) {
      replica = new Replica(first);
    } else if (replica != null) {
      replica.apply(entry);
    }
  }

  private long length() {
    return replica == null ? 0 : replica.length();
  }
}
