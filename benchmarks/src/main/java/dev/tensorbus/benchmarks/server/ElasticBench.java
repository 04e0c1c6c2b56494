// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.server;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.optim.server.ServerOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;

/// Adds two servers to two, then removes one, while trainers push whole numbers. Measures how long
/// the parameters take to move, and the longest call meanwhile, which says how long a slot had no
/// primary. Checks the sums, too.
public final class ElasticBench implements Benchmark {
  private static final int TRAINERS = 4;
  private static final Duration BETWEEN = Duration.ofSeconds(5);

  /// Creates the benchmark.
  public ElasticBench() {}

  @Override
  public String name() {
    return "elastic";
  }

  @Override
  public String summary() {
    return "servers that join and leave while trainers push, for a minute";
  }

  @Override
  public int run(JsonObject given) throws IOException {
    return run(BETWEEN) ? 0 : 1;
  }

  /// Runs the benchmark, prints the figures, and returns whether all sums are right.
  ///
  /// @param between the time between two changes
  static boolean run(Duration between) throws IOException {
    ServerOptions servers =
        ServerOptions.of(ServerWorld.serverNames(2)).withBackups(1).withWitnesses("witness");
    try (PushingWorld world = new PushingWorld("elastic.", servers, TRAINERS)) {
      world.start();
      ServerWorld.sleep(between);
      measure(world, "quiet", () -> ServerWorld.sleep(between));
      for (String added : new String[] {"server3", "server4"}) {
        world.world().startServer(added);
        world.world().awaitWorker(added); // so that the start of a JVM does not count
        measure(world, "add." + added, () -> world.world().awaitAdded(added));
        ServerWorld.sleep(between);
      }
      measure(world, "drain.server1", () -> world.world().drain("server1"));
      ServerWorld.sleep(between);
      return world.judge();
    }
  }

  private static void measure(PushingWorld world, String what, Runnable change) {
    long start = System.nanoTime();
    change.run();
    long end = System.nanoTime();
    ServerWorld.sleep(Duration.ofMillis(500)); // until the calls of that time have been reported
    double longest = world.stalls().longest(start, end);
    System.out.println(new Figure("elastic." + what + ".time", (end - start) / 1e6, "ms"));
    System.out.println(new Figure("elastic." + what + ".longest-call", 1e3 * longest, "ms"));
  }
}
