// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.simulation;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.optim.server.consistency.Consistency;
import dev.tensorbus.optim.server.consistency.Consistency.Bsp;
import dev.tensorbus.verticles.Setting;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Prints the simulated idle time and throughput of trainers, by consistency, number of trainers
/// and distribution of step times.
public final class SimulationBench implements Benchmark {
  private static final int[] TRAINERS = {8, 16, 64, 1000};
  private static final double DURATION = 500;

  /// Creates the benchmark.
  public SimulationBench() {}

  @Override
  public String name() {
    return "simulate";
  }

  @Override
  public String summary() {
    return "idle time of simulated trainers, by consistency";
  }

  @Override
  public int run(JsonObject given) {
    long seed = given.getLong(Setting.SEED.key(), 0L);
    for (StepTimes times : StepTimes.values()) {
      for (int trainers : TRAINERS) {
        for (Consistency consistency : consistencies(trainers)) {
          if (trainers >= consistency.leastTrainers()) {
            print(new Simulation(consistency, trainers, times, 1, DURATION, seed));
            if (consistency instanceof Bsp bsp && bsp.backups() > 0) {
              print(new Simulation(consistency, trainers, times, 1, DURATION, seed, true));
            }
          }
        }
      }
    }
    return 0;
  }

  private static List<Consistency> consistencies(int trainers) {
    String quorum = "quorum:%d:100ms".formatted(trainers * 7 / 8);
    return Stream.of("bsp", "bsp:1", "bsp:8", quorum, "ssp:1", "ssp:4", "ssp:8", "ssp:16", "async")
        .map(Consistency::parse)
        .toList();
  }

  private static void print(Simulation simulation) {
    Simulation.Result result = simulation.run();
    String name =
        "simulated.%s.trainers%d.%s%s."
            .formatted(
                simulation.stepTimes().name().toLowerCase(Locale.ROOT),
                simulation.trainers(),
                simulation.consistency(),
                simulation.givesUp() ? ".giving-up" : "");
    System.out.println(new Figure(name + "idle", 100 * result.idle(), "%"));
    System.out.println(new Figure(name + "throughput", result.throughput(), "pushes/step"));
    System.out.println(new Figure(name + "dropped", 100 * result.dropped(), "%"));
  }
}
