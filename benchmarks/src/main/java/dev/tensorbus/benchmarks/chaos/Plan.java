// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A world and the disturbances it is subjected to, derived from a seed.
///
/// @param seed the seed of the plan
/// @param isApart whether each worker has its own network namespace, which allows network cuts
/// @param isEarly whether times are measured from the start of the first worker instead of from the
///     moment when all workers have joined
/// @param burners number of processes per core that keep the machine busy while the world runs
/// @param heartbeatTimeout the heartbeat timeout of the workers
/// @param events the disturbances, in order of time
record Plan(
    long seed,
    Workload workload,
    int worldSize,
    boolean isApart,
    boolean isEarly,
    int burners,
    Duration heartbeatTimeout,
    List<Event> events) {
  /// A disturbance and its time.
  record Event(Duration at, Disturbance what) {
    @Override
    public String toString() {
      return "%.1f s %s".formatted(at.toMillis() / 1e3, what);
    }
  }

  /// The longest pause, as a fraction of the heartbeat timeout; the remainder allows for late
  /// signals.
  static final double MOST_PAUSED = 0.92;

  private static final double LEAST_PAUSED = 0.7;
  private static final double MOST_FROZEN = 1.6;
  private static final int LEAST_BURNERS = 2;
  private static final int MOST_BURNERS = 6;
  private static final int MOST_CUT_MILLIS = 15_000;
  private static final int MOST_AWAY_MILLIS = 6_000;
  private static final int LAST_MILLIS = 12_000;
  private static final int MOST_AWAKE_MILLIS = 3_000;
  private static final long[] STEPS = {-3600, -60, -3, 3, 60, 3600};

  Plan {
    events = List.copyOf(events);
  }

  /// Returns a random plan; equal arguments yield equal plans. Consecutive seeds cycle through the
  /// programs.
  static Plan of(long seed, Duration heartbeatTimeout) {
    SplittableRandom random = new SplittableRandom(seed);
    Workload workload = Workload.inTurn(seed);
    int worldSize = random.nextInt(2, workload.mostWorkers() + 1);
    boolean isApart = random.nextInt(3) == 0;
    boolean isEarly = random.nextInt(4) == 0;
    int burners = burners(random);
    Plan empty =
        new Plan(seed, workload, worldSize, isApart, isEarly, burners, heartbeatTimeout, List.of());
    List<Event> events = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      events.addAll(empty.trouble(random));
    }
    events.sort(Comparator.comparing(Event::at));
    return empty.with(events);
  }

  /// Returns a random number of burners per core; three out of four worlds have none.
  static int burners(SplittableRandom random) {
    return random.nextInt(4) == 0 ? random.nextInt(LEAST_BURNERS, MOST_BURNERS + 1) : 0;
  }

  /// Returns a random length for a pause that every worker must survive.
  static Duration pause(Duration heartbeatTimeout, SplittableRandom random) {
    double part = random.nextDouble(LEAST_PAUSED, MOST_PAUSED);
    return Duration.ofMillis((long) (heartbeatTimeout.toMillis() * part));
  }

  /// Returns the plan of an undisturbed world of two workers.
  static Plan quiet(long seed, Duration heartbeatTimeout) {
    return new Plan(seed, Workload.inTurn(seed), 2, false, false, 0, heartbeatTimeout, List.of());
  }

  private Plan with(List<Event> events) {
    return new Plan(seed, workload, worldSize, isApart, isEarly, burners, heartbeatTimeout, events);
  }

  /// Returns a random group of related events.
  private List<Event> trouble(SplittableRandom random) {
    int rank = random.nextInt(worldSize);
    int millis = random.nextInt(1000, LAST_MILLIS);
    int kind = random.nextInt(isApart ? 10 : 8);
    return switch (kind) {
      case 0 -> List.of(event(millis, new Disturbance.Kill(rank)));
      case 1 ->
          List.of(
              event(millis, new Disturbance.Kill(rank)),
              event(millis + random.nextInt(100, MOST_AWAY_MILLIS), new Disturbance.Restart(rank)));
      case 2 -> {
        int most = (int) (heartbeatTimeout.toMillis() * MOST_FROZEN);
        yield frozen(List.of(rank), millis, random.nextInt(100, most));
      }
      case 3 -> {
        Duration change = Duration.ofSeconds(STEPS[random.nextInt(STEPS.length)]);
        yield List.of(event(millis, new Disturbance.Step(rank, change)));
      }
      case 4, 5 -> pause(millis, random);
      case 6, 7 -> {
        List<Event> all = new ArrayList<>(pause(millis, random));
        Duration thaw = all.getLast().at();
        Duration awake = Duration.ofMillis(random.nextInt(MOST_AWAKE_MILLIS));
        all.add(new Event(thaw.plus(awake), new Disturbance.Kill(rank)));
        yield all;
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

  /// Returns the events that freeze one rank or the whole world for less than the heartbeat
  /// timeout.
  private List<Event> pause(int millis, SplittableRandom random) {
    List<Integer> ranks =
        random.nextBoolean()
            ? IntStream.range(0, worldSize).boxed().toList()
            : List.of(random.nextInt(worldSize));
    return frozen(ranks, millis, (int) pause(heartbeatTimeout, random).toMillis());
  }

  private static List<Event> frozen(List<Integer> ranks, int millis, int length) {
    return ranks.stream()
        .flatMap(
            rank ->
                Stream.of(
                    event(millis, new Disturbance.Freeze(rank)),
                    event(millis + length, new Disturbance.Thaw(rank))))
        .toList();
  }

  private static Event event(int millis, Disturbance what) {
    return new Event(Duration.ofMillis(millis), what);
  }

  @Override
  public String toString() {
    String all = events.stream().map(Event::toString).collect(Collectors.joining(", "));
    return "seed %d: %s of %d%s%s%s: %s"
        .formatted(
            seed,
            workload.program(),
            worldSize,
            isApart ? " in namespaces" : "",
            isEarly ? ", early" : "",
            busy(burners),
            all.isEmpty() ? "undisturbed" : all);
  }

  /// Describes the burners for the line that announces a world.
  static String busy(int burners) {
    return burners == 0 ? "" : ", with %d burners per core".formatted(burners);
  }
}
