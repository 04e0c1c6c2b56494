// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.consistency;

import dev.tensorbus.optim.server.consistency.Consistency.Async;
import dev.tensorbus.optim.server.consistency.Consistency.Bsp;
import dev.tensorbus.optim.server.consistency.Consistency.Quorum;
import dev.tensorbus.optim.server.consistency.Consistency.Ssp;
import dev.tensorbus.rpc.group.Members;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Decides which pushes become a step and which trainers may continue, by the trainers' clocks. The
/// clock of a trainer is the number of pushes that it has made, counted from the clock of the
/// slowest trainer when it joined.
///
/// It has no threads, no time and no I/O, so that a simulation of a thousand trainers makes the
/// same decisions. Not thread-safe.
///
/// - A trainer that has left or is lost delays nobody.
/// - Expected trainers that have yet to join count as the slowest.
/// - With [Ssp], the clocks of two present trainers differ by at most its staleness plus one, the
///   push that is about to be made, as long as each waits for the answer to its push.
///
/// @param <K> the type of the trainers' keys
public final class Clocks<K extends Comparable<K>> {
  private final Members<K> trainers;
  private Consistency consistency;
  private final Map<K, Long> clocks = new HashMap<>();

  /// By clock: the number of trainers that have it.
  private final SortedMap<Long, Integer> counts = new TreeMap<>();

  /// The trainers whose pushes have not been answered.
  private final SortedSet<K> waiting = new TreeSet<>();

  /// The clock at which a trainer starts if none is present. With [Bsp] and [Quorum] it is the
  /// number of steps.
  private long start;

  /// Whether all expected trainers had joined before the last change of the members.
  private boolean wasComplete;

  /// The number of steps when the grace time of a [Quorum] last began.
  private long graceBegun = -1;

  /// Whether the grace time of the next step is over.
  private boolean isGraceOver;

  /// The grace time of a step, which begins now. The caller must call [#graceEnded] after it.
  ///
  /// @param step the number of steps before this one
  /// @param duration its length
  public record Grace(long step, Duration duration) {}

  /// The decisions after an event.
  ///
  /// @param step the trainers whose pushes form the next step, in the order of their keys; empty if
  ///     there is no step
  /// @param dropped the trainers whose pushes came too late for their step
  /// @param released the trainers that may continue
  /// @param grace the grace time that begins with this event, if any
  /// @param <K> the type of the trainers' keys
  public record Outcome<K>(
      SortedSet<K> step, SortedSet<K> dropped, SortedSet<K> released, @Nullable Grace grace) {}

  /// Creates the clocks of a group.
  public Clocks(Members<K> trainers, Consistency consistency) {
    this(trainers, consistency, Map.of(), 0);
  }

  /// Creates clocks that continue others.
  ///
  /// @param clocks the clocks of the others, as returned by [#times]
  /// @param start as returned by [#start] of the others
  public Clocks(Members<K> trainers, Consistency consistency, Map<K, Long> clocks, long start) {
    this.trainers = trainers;
    this.consistency = consistency;
    this.start = start;
    this.wasComplete = trainers.isComplete();
    clocks.forEach(this::setClock);
    followMembers();
  }

  /// Continues the steps of an earlier run. Must be called before the first push.
  public void restart(long steps) {
    if (consistency instanceof Bsp || consistency instanceof Quorum) { // else clocks are relative
      start = steps;
      List.copyOf(clocks.keySet()).forEach(trainer -> setClock(trainer, steps));
    }
  }

  /// Continues with another consistency, if both let the slowest trainer hold up the others, and
  /// all expected trainers have joined. The pushes that wait for a step of [Bsp] become one at
  /// once. With [Bsp], each push of a trainer that is behind the fastest is a step, and the others
  /// wait for it; as soon as all are equal, steps combine their pushes.
  ///
  /// @throws IllegalArgumentException if it cannot change so
  /// @throws IllegalStateException if a trainer is expected
  public Outcome<K> change(Consistency next) {
    requireChangeable(next);
    boolean isOpen = rule() instanceof Bsp && !waiting.isEmpty();
    consistency = next;
    return switch (rule()) {
      case Ssp ssp when isOpen -> {
        SortedSet<K> step = new TreeSet<>(waiting);
        step.forEach(this::advance);
        yield new Outcome<>(step, none(), release(step, ssp.staleness()), null);
      }
      case Ssp ssp -> new Outcome<>(none(), none(), release(waiting, ssp.staleness()), null);
      default -> nothing();
    };
  }

  /// Checks that [#change] is possible.
  ///
  /// @throws IllegalArgumentException if it cannot change so
  /// @throws IllegalStateException if a trainer is expected
  public void requireChangeable(Consistency next) {
    if (!consistency.waitsForAll() || !next.waitsForAll()) {
      throw new IllegalArgumentException(
          "%s instead of %s; expected bsp or ssp:T, before and after".formatted(next, consistency));
    }
    if (!trainers.isComplete()) {
      throw new IllegalStateException(
          "%s instead of %s, but %d of %d trainers are present; expected all to have joined"
              .formatted(next, consistency, trainers.present().size(), trainers.expected()));
    }
  }

  /// Returns the consistency that applies: [Bsp] is that of equal clocks, to which all trainers
  /// come if none runs ahead.
  private Consistency rule() {
    return consistency.equals(new Bsp(0)) && counts.size() > 1 ? new Ssp(0) : consistency;
  }

  /// Returns the clocks of the present trainers.
  public SortedMap<K, Long> times() {
    return new TreeMap<>(clocks);
  }

  /// Returns the clock at which a trainer starts if none is present.
  public long start() {
    return start;
  }

  /// Returns the clock of a trainer, or nothing if it is not present.
  public Optional<Long> time(K trainer) {
    return Optional.ofNullable(clocks.get(trainer));
  }

  /// Handles a push of a trainer. A further push before the trainer is released replaces the
  /// previous one if that has not become part of a step.
  public Outcome<K> push(K trainer) {
    return switch (rule()) {
      case Bsp _, Quorum _ when clocks.getOrDefault(trainer, start) < start -> drop(trainer);
      case Bsp _, Quorum _ -> {
        waiting.add(trainer);
        yield stepIfComplete();
      }
      case Ssp ssp -> stepAtOnce(trainer, ssp.staleness());
      case Async _ -> stepAtOnce(trainer, Integer.MAX_VALUE);
    };
  }

  /// Handles the repetition of a push that has become part of a step: the trainer did not receive
  /// the answer.
  public Outcome<K> repeat(K trainer) {
    if (!(rule() instanceof Ssp ssp)) {
      return new Outcome<>(none(), none(), only(trainer), null);
    }
    waiting.add(trainer);
    return new Outcome<>(none(), none(), release(only(trainer), ssp.staleness()), null);
  }

  /// Handles departures and arrivals, which may complete a step or release trainers. Must be called
  /// after each of them.
  public Outcome<K> membersChanged() {
    Consistency before = rule();
    followMembers();
    return switch (before) {
      case Bsp _, Quorum _ -> stepIfComplete();
      case Ssp ssp -> new Outcome<>(none(), none(), release(waiting, ssp.staleness()), null);
      case Async _ -> nothing();
    };
  }

  /// Handles the end of a grace time. Does nothing if its step has been taken meanwhile.
  public Outcome<K> graceEnded(Grace grace) {
    if (grace.step() != start) {
      return nothing();
    }
    isGraceOver = true;
    return stepIfComplete();
  }

  /// Forgets the push of a trainer that no longer waits for its answer.
  public void withdraw(K trainer) {
    waiting.remove(trainer);
  }

  private Outcome<K> drop(K trainer) {
    setClock(trainer, start);
    SortedSet<K> alone = only(trainer);
    return new Outcome<>(none(), alone, alone, null);
  }

  private Outcome<K> stepIfComplete() {
    int remaining = trainers.remaining();
    if (!(consistency instanceof Quorum(int contributions, Duration duration))) {
      int backups = consistency instanceof Bsp bsp ? bsp.backups() : 0;
      return haveArrived(remaining - backups) ? step() : nothing();
    }
    boolean isQuorum = haveArrived(Math.min(contributions, remaining));
    if (haveArrived(remaining) || (isQuorum && (isGraceOver || duration.isZero()))) {
      return step();
    }
    if (isQuorum && graceBegun < start) {
      graceBegun = start;
      return new Outcome<>(none(), none(), none(), new Grace(start, duration));
    }
    return nothing();
  }

  private Outcome<K> step() {
    SortedSet<K> step = new TreeSet<>(waiting);
    waiting.clear();
    start = counts.isEmpty() ? start + 1 : Math.max(start, counts.lastKey()) + 1;
    isGraceOver = false;
    step.stream().filter(clocks::containsKey).forEach(trainer -> setClock(trainer, start));
    return new Outcome<>(step, none(), step, null);
  }

  /// Returns whether the pushes of this many present trainers are waiting.
  private boolean haveArrived(int needed) {
    return !waiting.isEmpty() && waiting.size() >= needed && arrived() >= needed;
  }

  /// Returns the number of present trainers whose pushes are waiting. Takes as long as there are
  /// such pushes.
  private long arrived() {
    return waiting.stream().filter(clocks::containsKey).count();
  }

  private Outcome<K> stepAtOnce(K trainer, int staleness) {
    long before = slowest();
    advance(trainer);
    waiting.add(trainer);
    SortedSet<K> candidates = slowest() == before ? only(trainer) : waiting;
    return new Outcome<>(only(trainer), none(), release(candidates, staleness), null);
  }

  private void advance(K trainer) {
    Long clock = clocks.get(trainer);
    if (clock != null) {
      setClock(trainer, clock + 1);
    }
  }

  private SortedSet<K> release(SortedSet<K> candidates, int staleness) {
    long limit = slowest() + staleness;
    SortedSet<K> released =
        candidates.stream()
            .filter(trainer -> clocks.getOrDefault(trainer, limit) <= limit)
            .collect(Collectors.toCollection(TreeSet::new));
    waiting.removeAll(released);
    return released;
  }

  private void followMembers() {
    SortedSet<K> present = trainers.present();
    Set<K> gone = new HashSet<>(clocks.keySet());
    gone.removeAll(present);
    updateStart(); // so that it does not fall if all are gone
    gone.forEach(this::forget);
    updateStart();
    wasComplete = trainers.isComplete();
    present.stream()
        .filter(trainer -> !clocks.containsKey(trainer))
        .forEach(trainer -> setClock(trainer, start));
  }

  private void updateStart() {
    if (wasComplete && (consistency.waitsForAll() || consistency instanceof Async)) {
      start = slowest();
    }
  }

  private void forget(K trainer) {
    Long clock = clocks.remove(trainer);
    if (clock != null) {
      count(clock, -1);
    }
  }

  private void setClock(K trainer, long clock) {
    Long before = clocks.put(trainer, clock);
    if (before != null) {
      count(before, -1);
    }
    count(clock, 1);
  }

  private void count(long clock, int more) {
    counts.merge(clock, more, (old, change) -> old + change == 0 ? null : old + change);
  }

  /// Returns the clock of the slowest trainer that is present or expected.
  private long slowest() {
    return trainers.isComplete() && !counts.isEmpty() ? counts.firstKey() : start;
  }

  private Outcome<K> nothing() {
    return new Outcome<>(none(), none(), none(), null);
  }

  private static <K> SortedSet<K> none() {
    return Collections.emptySortedSet();
  }

  private SortedSet<K> only(K trainer) {
    SortedSet<K> set = new TreeSet<>();
    set.add(trainer);
    return set;
  }
}
