// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.reference;

import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Sender;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The forks that this worker has sent and that the receivers have not confirmed. Each keeps its
/// parent fork alive (G2). If a fork is still unconfirmed after the end of the call that carried
/// it, the receiver is queried, because the message may have been lost.
public final class Departures {
  /// How long after the end of a call the receivers of its unconfirmed forks are queried.
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Map<GlobalId, Departure> table = new HashMap<>();
  private final NanoClock clock;

  Departures(NanoClock clock) {
    this.clock = clock;
  }

  /// A fork that was sent.
  ///
  /// @param id the name of the reference
  /// @param child the worker that will hold it
  /// @param parent this worker's fork, which stays in use until the child is confirmed; null if
  ///     this worker owns the object
  /// @param due the clock time at which to query the receiver
  public record Departure(GlobalId id, Sender child, @Nullable HeldFork parent, long due) {
    private Departure dueAt(long time) {
      return new Departure(id, child, parent, time);
    }

    private void end() {
      if (parent != null) {
        parent.endUse();
      }
    }
  }

  /// Adds a fork whose call has not ended.
  public synchronized void add(
      GlobalId fork, GlobalId id, Sender child, @Nullable HeldFork parent) {
    table.put(fork, new Departure(id, child, parent, Long.MAX_VALUE));
  }

  /// Records that the call that carries these forks ends within the given number of nanoseconds.
  public synchronized void overIn(long nanos, List<GlobalId> forks) {
    long due = clock.nanoTime() + Math.max(0, nanos) + GRACE_NANOS;
    forks.forEach(fork -> table.computeIfPresent(fork, (key, one) -> one.dueAt(due)));
  }

  /// Removes a fork and returns its departure, or null if the fork is already confirmed.
  public @Nullable Departure remove(GlobalId fork) {
    Departure departure;
    synchronized (this) {
      departure = table.remove(fork);
    }
    if (departure != null) {
      departure.end();
    }
    return departure;
  }

  /// Records that a fork has arrived at a worker. Does nothing if the fork was sent to another
  /// worker.
  public void taken(GlobalId fork, Sender by) {
    boolean isIts;
    synchronized (this) {
      Departure departure = table.get(fork);
      isIts = departure != null && departure.child().equals(by);
    }
    if (isIts) {
      Departure _ = remove(fork);
    }
  }

  /// Drops the forks sent to a worker that has left.
  public void workerLost(Sender child) {
    List<GlobalId> lost;
    synchronized (this) {
      lost =
          table.entrySet().stream()
              .filter(entry -> entry.getValue().child().equals(child))
              .map(Map.Entry::getKey)
              .toList();
    }
    lost.forEach(this::remove);
  }

  /// Returns the forks that should have been confirmed by now, grouped by receiver. Each fork is
  /// returned only once.
  public synchronized Map<Sender, List<GlobalId>> takeDue() {
    Map<Sender, List<GlobalId>> due = new HashMap<>();
    long now = clock.nanoTime();
    table.replaceAll(
        (fork, departure) -> {
          if (departure.due() == Long.MAX_VALUE || departure.due() - now > 0) {
            return departure;
          }
          due.computeIfAbsent(departure.child(), key -> new ArrayList<>()).add(fork);
          return departure.dueAt(Long.MAX_VALUE);
        });
    return due;
  }

  public synchronized int size() {
    return table.size();
  }
}
