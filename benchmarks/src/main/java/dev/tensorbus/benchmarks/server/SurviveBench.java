// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.measure.GivenSettings;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.verticles.Setting;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;

/// Kills servers and trainers at random moments while trainers push whole numbers, and checks the
/// sums: each acknowledged push counts once, and the last push of a killed trainer at most once.
/// There are a hundred kills: the longer it takes, the more pushes are between them.
public final class SurviveBench implements Benchmark {
  private static final Setting MINUTES = GivenSettings.minutes(30);

  private static final int SERVERS = 4;
  private static final int TRAINERS = 8;
  private static final int KILLS = 100;
  private static final double JITTER = 0.5;

  /// Creates the benchmark.
  public SurviveBench() {}

  @Override
  public String name() {
    return "survive";
  }

  @Override
  public String summary() {
    return "sums of pushes while processes are killed, for half an hour";
  }

  @Override
  public void check(JsonObject given) {
    new GivenSettings(given).check(MINUTES, Setting.SEED);
  }

  @Override
  public int run(JsonObject given) throws IOException {
    GivenSettings settings = new GivenSettings(given);
    long seed = settings.seed();
    Duration total = settings.duration(MINUTES);
    KillPlan plan = KillPlan.every(total.dividedBy(KILLS + 1), JITTER, total, seed);
    return run(plan, seed) ? 0 : 1;
  }

  /// Carries out a plan, prints the figures, and returns whether all sums are right.
  static boolean run(KillPlan plan, long seed) throws IOException {
    System.err.println("survive: seed " + seed + ", " + plan.kills().size() + " kills");
    ServerOptions servers = ServerOptions.of(ServerWorld.serverNames(SERVERS));
    try (PushingWorld world = new PushingWorld("survive.", servers, TRAINERS)) {
      world.start();
      world.carryOut(plan);
      return world.judge();
    }
  }
}
