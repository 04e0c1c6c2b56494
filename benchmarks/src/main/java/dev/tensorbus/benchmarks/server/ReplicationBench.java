// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.simulation.StepTimes;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.optim.server.consistency.Consistency;
import io.vertx.core.json.JsonObject;
import java.time.Duration;

/// Measures what a backup costs: the throughput of four trainers with BSP, and the bytes that are
/// sent for a step. The trainers of the first run sleep some 50 ms a step, as if they computed;
/// those of the second do nothing but push and pull.
public final class ReplicationBench implements Benchmark {
  private static final int SERVERS = 3;
  private static final int TRAINERS = 4;
  private static final int VALUES = 400_000;
  private static final Duration STEP = Duration.ofMillis(50);
  private static final Duration DURATION = Duration.ofSeconds(20);

  /// Creates the benchmark.
  public ReplicationBench() {}

  @Override
  public String name() {
    return "replication";
  }

  @Override
  public String summary() {
    return "cost of a backup of parameters, for three minutes";
  }

  @Override
  public int run(JsonObject given) {
    for (Duration step : new Duration[] {STEP, Duration.ZERO}) {
      Cost none = cost(0, step, DURATION);
      Cost one = cost(1, step, DURATION);
      String prefix = "replication.step" + step.toMillis() + "ms.";
      print(prefix + "backups0.", none);
      print(prefix + "backups1.", one);
      System.out.println(
          new Figure(prefix + "throughput-lost", 100 * (1 - one.pushes() / none.pushes()), "%"));
      double copied = (one.byServers() - none.byServers()) / none.byTrainers();
      System.out.println(new Figure(prefix + "bytes-copied", 100 * copied, "%"));
    }
    return 0;
  }

  /// The figures of a run.
  ///
  /// @param pushes the pushes of all trainers in a second
  /// @param byTrainers the bytes that the trainers sent for a push
  /// @param byServers the bytes that the servers sent for a push
  record Cost(double pushes, double byTrainers, double byServers) {}

  /// Measures a run, after a warm-up of half its length.
  static Cost cost(int backups, Duration step, Duration duration) {
    ServerOptions servers = ServerOptions.of(ServerWorld.serverNames(SERVERS)).withBackups(backups);
    try (EmulatedWorld world = new EmulatedWorld(servers, TRAINERS)) {
      var _ = world.run(run(step, duration.dividedBy(2)));
      long trainersBefore = world.sentByTrainers();
      long serversBefore = world.sentByServers();
      double pushes = world.run(run(step, duration)).pushes();
      double all = pushes * duration.toMillis() / 1e3;
      return new Cost(
          pushes,
          (world.sentByTrainers() - trainersBefore) / all,
          (world.sentByServers() - serversBefore) / all);
    }
  }

  private static EmulatedRun run(Duration step, Duration duration) {
    return new EmulatedRun(
        TRAINERS, new Consistency.Bsp(0), StepTimes.LOGNORMAL, 1, step, duration, 0, VALUES, false);
  }

  private static void print(String prefix, Cost cost) {
    System.out.println(new Figure(prefix + "throughput", cost.pushes(), "pushes/s"));
    System.out.println(new Figure(prefix + "sent-by-trainers", cost.byTrainers(), "bytes/push"));
    System.out.println(new Figure(prefix + "sent-by-servers", cost.byServers(), "bytes/push"));
  }
}
