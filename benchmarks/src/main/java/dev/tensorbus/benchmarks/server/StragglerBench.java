// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.GivenSettings;
import dev.tensorbus.benchmarks.simulation.Simulation;
import dev.tensorbus.benchmarks.simulation.StepTimes;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.verticles.Setting;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Measures how long trainers of different speeds wait for each other, by consistency, beside what
/// the simulation predicts. With a staleness, there is also a run of BSP that synchronizes as
/// often: it computes as many more steps before each push.
public final class StragglerBench implements Benchmark {
  private static final Duration STEP = Duration.ofMillis(400);
  private static final Duration DURATION = Duration.ofSeconds(40);
  private static final int MOST_TRAINERS = 64;

  /// Steps of 64 trainers take this many times as long as others, because the calls of 64 trainers
  /// take some 40 ms on two cores.
  private static final int LONGER_STEPS = 3;

  /// Runs of 64 trainers take this many times as long as others, because most of their synchronous
  /// steps take ten times as long.
  private static final int LONGER_RUNS = 6;

  private static final long SEED = 1;

  /// Creates the benchmark.
  public StragglerBench() {}

  @Override
  public String name() {
    return "stragglers";
  }

  @Override
  public String summary() {
    return "idle time of emulated trainers, by consistency, for 26 minutes";
  }

  @Override
  public void check(JsonObject given) {
    new GivenSettings(given).check(Setting.SEED);
  }

  @Override
  public int run(JsonObject given) {
    run(runs(DURATION, given.getLong(Setting.SEED.key(), SEED)), MOST_TRAINERS);
    return 0;
  }

  /// Returns all runs.
  static List<EmulatedRun> runs(Duration duration, long seed) {
    List<EmulatedRun> runs = new ArrayList<>();
    runs.add(run("bsp", 16, StepTimes.LOGNORMAL, 1, duration, seed));
    for (int staleness : new int[] {1, 4, 8, 16}) {
      runs.add(run("ssp:" + staleness, 16, StepTimes.LOGNORMAL, 1, duration, seed));
      runs.add(run("bsp", 16, StepTimes.LOGNORMAL, staleness + 1, duration, seed));
    }
    for (String consistency : List.of("bsp", "ssp:1", "ssp:4", "ssp:16", "bsp:1", "quorum:7:1ms")) {
      runs.add(run(consistency, 8, StepTimes.STRAGGLER, 1, duration, seed));
    }
    Duration longer = duration.multipliedBy(LONGER_RUNS);
    for (String consistency : List.of("bsp", "bsp:8", "ssp:8")) {
      runs.add(run(consistency, MOST_TRAINERS, StepTimes.PAUSES, 1, longer, seed));
    }
    runs.add(run("bsp:8", MOST_TRAINERS, StepTimes.PAUSES, 1, longer, seed).givingUp());
    return runs;
  }

  private static EmulatedRun run(
      String consistency,
      int trainers,
      StepTimes times,
      int stepsPerPush,
      Duration duration,
      long seed) {
    return new EmulatedRun(
        trainers,
        Consistency.parse(consistency),
        times,
        stepsPerPush,
        trainers == MOST_TRAINERS ? STEP.multipliedBy(LONGER_STEPS) : STEP,
        duration,
        seed,
        1,
        false);
  }

  /// Carries out runs and prints their figures.
  ///
  /// @param workers the number of workers, at least as many as trainers
  static void run(List<EmulatedRun> runs, int workers) {
    try (EmulatedWorld world = world(workers)) {
      for (EmulatedRun run : runs) {
        EmulatedRun.Result measured = world.run(run);
        Simulation.Result simulated = run.simulation().run();
        String prefix = "stragglers." + run + ".";
        print(prefix + "idle", 100 * measured.idle(), 100 * simulated.idle(), "%");
        print(
            prefix + "throughput",
            measured.throughput(),
            simulated.throughput(),
            "steps/trainer/step");
      }
    }
  }

  static EmulatedWorld world(int workers) {
    return new EmulatedWorld(ServerOptions.of(ServerWorld.serverNames(1)), workers);
  }

  private static void print(String name, double measured, double simulated, String unit) {
    System.out.println(new Figure(name, measured, unit));
    System.out.println(new Figure(name + ".simulated", simulated, unit));
  }
}
