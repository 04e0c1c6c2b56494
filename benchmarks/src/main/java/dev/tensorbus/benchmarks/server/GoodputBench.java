// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.GivenSettings;
import dev.tensorbus.optim.server.ServerOptions;
import dev.tensorbus.verticles.Setting;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Measures how many samples per second remain when a server, the servers' leader or a trainer is
/// killed every 29 s, and compares the final values with those of an undisturbed run. Steps are
/// synchronous. A fifth of the time passes without kills, for comparison.
public final class GoodputBench implements Benchmark {
  private static final Setting MINUTES = GivenSettings.minutes(30);

  private static final int SERVERS = 3;

  /// One more than the shards need: six do them in as many turns as seven.
  private static final int TRAINERS = 7;

  private static final Duration PERIOD = Duration.ofSeconds(29);
  private static final Duration PAUSE = Duration.ofMillis(40);
  private static final int UNDISTURBED = 5;
  private static final Path PLOT = Path.of("goodput.svg");

  /// Creates the benchmark.
  public GoodputBench() {}

  @Override
  public String name() {
    return "goodput";
  }

  @Override
  public String summary() {
    return "samples per second despite kills, for half an hour";
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
    KillPlan plan = KillPlan.every(PERIOD, 0, total.minus(total.dividedBy(UNDISTURBED)), seed);
    return run(plan, total.dividedBy(UNDISTURBED), seed) ? 0 : 1;
  }

  /// Carries out a plan after some time without kills, and returns whether the final values are
  /// those of an undisturbed run.
  static boolean run(KillPlan plan, Duration undisturbed, long seed) throws IOException {
    System.err.println("goodput: seed " + seed + ", " + plan.kills().size() + " kills");
    Goodput goodput;
    long steps;
    String bits;
    ServerOptions servers = ServerOptions.of(ServerWorld.serverNames(SERVERS));
    try (GoodputWorld world = new GoodputWorld(servers, TRAINERS, PAUSE, Long.MAX_VALUE)) {
      world.start();
      long start = System.nanoTime();
      ServerWorld.sleep(undisturbed);
      long firstKill = System.nanoTime();
      Killer killer = world.killer();
      killer.carryOut(plan, firstKill);
      ServerWorld.sleep(PERIOD);
      goodput = new Goodput(world.steps(), killer.killed(), start, firstKill, System.nanoTime());
      steps = world.chooseLastStep();
      world.stopAt(steps);
      bits = world.awaitEnd();
    }
    goodput.lines().forEach(System.err::println);
    goodput.figures().forEach(System.out::println);
    System.err.println("goodput: repeating " + steps + " steps with one server and one trainer");
    String expected = alone(steps);
    System.out.println(new Figure("goodput.equal-bits", bits.equals(expected) ? 1 : 0, "of 1"));
    Files.writeString(PLOT, GoodputPlot.svg(goodput, title(goodput, seed)));
    System.err.println("goodput: the plot is in " + PLOT.toAbsolutePath());
    return bits.equals(expected);
  }

  private static String alone(long steps) {
    ServerOptions server = ServerOptions.of("server1");
    try (GoodputWorld world = new GoodputWorld(server, 1, Duration.ZERO, steps)) {
      world.start();
      return world.awaitEnd();
    }
  }

  private static String title(Goodput run, long seed) {
    return "%d servers, %d trainers; one is killed every %d s (seed %d): %.1f %% of the samples"
        .formatted(
            SERVERS,
            TRAINERS,
            PERIOD.toSeconds(),
            seed,
            100 * run.speed(run.firstKill(), run.end()) / run.speed(run.start(), run.firstKill()));
  }
}
