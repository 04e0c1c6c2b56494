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

/// The forks that this worker has sent and that their receivers have not confirmed (G2): each
/// keeps what it was made from. Once the call is over that carried it, an unconfirmed fork is
/// asked after, since its message may be lost.
public final class Departures {
  /// How long after the end of its call a fork is expected to be confirmed.
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Map<GlobalId, Departure> table = new HashMap<>();
  private final NanoClock clock;

  /// No forks yet.
  Departures(NanoClock clock) {
    this.clock = clock;
  }

  /// A fork that has left.
  ///
  /// @param id the reference
  /// @param child who is to hold it
  /// @param parent the fork of this worker that it was made from and now uses, or null if this
  ///     worker owns the object
  /// @param due when to ask for it, by the clock
  public record Departure(GlobalId id, Sender child, @Nullable HeldFork parent, long due) {
    private Departure dueAt(long time) {
      return new Departure(id, child, parent, time);
    }

    /// Lets the parent go.
    private void end() {
      if (parent != null) {
        parent.endUse();
      }
    }
  }

  /// Notes a fork whose call is not over.
  public synchronized void add(
      GlobalId fork, GlobalId id, Sender child, @Nullable HeldFork parent) {
    table.put(fork, new Departure(id, child, parent, Long.MAX_VALUE));
  }

  /// Notes that the call of these forks is over in so many nanoseconds.
  public synchronized void overIn(long nanos, List<GlobalId> forks) {
    long due = clock.nanoTime() + Math.max(0, nanos) + GRACE_NANOS;
    forks.forEach(fork -> table.computeIfPresent(fork, (key, one) -> one.dueAt(due)));
  }

  /// Forgets a fork, which may be confirmed already, and returns what was noted of it.
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

  /// Notes that a worker has taken a fork, if it is the one that the fork was for.
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

  /// Forgets what was to arrive at a worker that has left.
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

  /// The forks that should have been confirmed, by receiver; they are not given again.
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
