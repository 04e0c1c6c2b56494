// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/// A world and what happens to it, which a seed determines.
///
/// @param seed from which it is made
/// @param isApart whether each worker has a network namespace of its own, so that two can be cut
/// @param isEarly whether times count from the start of the first worker, else from when all have
///     met
/// @param events in the order of their times
record Plan(
    long seed,
    Workload workload,
    int worldSize,
    boolean isApart,
    boolean isEarly,
    List<Event> events) {
  /// A disturbance at a time.
  record Event(Duration at, Disturbance what) {
    @Override
    public String toString() {
      return "%.1f s %s".formatted(at.toMillis() / 1e3, what);
    }
  }

  private static final int MOST_FROZEN_MILLIS = 8_000;
  private static final int MOST_CUT_MILLIS = 15_000;
  private static final int MOST_AWAY_MILLIS = 6_000;
  private static final int LAST_MILLIS = 12_000;
  private static final long[] STEPS = {-3600, -60, -3, 3, 60, 3600};

  Plan {
    events = List.copyOf(events);
  }

  /// A world of a program in its turn; equal seeds make equal ones.
  static Plan of(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Workload workload = Workload.inTurn(seed);
    int worldSize = random.nextInt(2, workload.mostWorkers() + 1);
    boolean isApart = random.nextInt(3) == 0;
    boolean isEarly = random.nextInt(4) == 0;
    List<Event> events = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      events.addAll(trouble(worldSize, isApart, random));
    }
    events.sort(Comparator.comparing(Event::at));
    return new Plan(seed, workload, worldSize, isApart, isEarly, events);
  }

  /// The same world with nothing that happens to it.
  static Plan quiet(long seed) {
    return new Plan(seed, Workload.inTurn(seed), 2, false, false, List.of());
  }

  /// One or two events that belong together.
  private static List<Event> trouble(int worldSize, boolean isApart, SplittableRandom random) {
    int rank = random.nextInt(worldSize);
    int millis = random.nextInt(1000, LAST_MILLIS);
    int kind = random.nextInt(isApart ? 6 : 4);
    return switch (kind) {
      case 0 -> List.of(event(millis, new Disturbance.Kill(rank)));
      case 1 ->
          List.of(
              event(millis, new Disturbance.Kill(rank)),
              event(millis + random.nextInt(100, MOST_AWAY_MILLIS), new Disturbance.Restart(rank)));
      case 2 ->
          List.of(
              event(millis, new Disturbance.Freeze(rank)),
              event(millis + random.nextInt(100, MOST_FROZEN_MILLIS), new Disturbance.Thaw(rank)));
      case 3 -> {
        Duration change = Duration.ofSeconds(STEPS[random.nextInt(STEPS.length)]);
        yield List.of(event(millis, new Disturbance.Step(rank, change)));
      }
      default -> {
        int other = (rank + random.nextInt(1, worldSize)) % worldSize;
        yield List.of(
            event(millis, new Disturbance.Cut(rank, other)),
            event(
                millis + random.nextInt(1000, MOST_CUT_MILLIS), new Disturbance.Heal(rank, other)));
      }
    };
  }

  private static Event event(int millis, Disturbance what) {
    return new Event(Duration.ofMillis(millis), what);
  }

  @Override
  public String toString() {
    String all = events.stream().map(Event::toString).collect(Collectors.joining(", "));
    return "seed %d: %s of %d%s%s: %s"
        .formatted(
            seed,
            workload.program(),
            worldSize,
            isApart ? " in namespaces" : "",
            isEarly ? ", early" : "",
            all.isEmpty() ? "undisturbed" : all);
  }
}
