// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import dev.tensorbus.benchmarks.measure.Benchmark;
import dev.tensorbus.benchmarks.measure.GivenSettings;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.SettingType;
import dev.tensorbus.verticles.UsageException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs worlds of the four programs one after another, each disturbed according to a random plan.
/// The last world is undisturbed. After it, no files or processes may be left over, including those
/// of workers killed in earlier worlds. Some worlds are run by a single command, which receives a
/// signal or is paused together with its workers.
public final class ChaosBench implements Benchmark {
  private static final Setting MINUTES = GivenSettings.minutes(2);
  private static final Setting SEED =
      new Setting(
          "seed",
          "S",
          new SettingType.Whole(0, Integer.MAX_VALUE),
          null,
          "seed of the first world's plan");

  /// A lane file younger than this is not removed as stale, since its owner may not have locked it
  /// yet.
  private static final long NEW_SECONDS = 10;

  /// Every third seed also runs a world that a single command launches.
  private static final int TURN = 3;

  /// Creates the benchmark.
  public ChaosBench() {}

  @Override
  public String name() {
    return "chaos";
  }

  @Override
  public String summary() {
    return "fault injection into worlds, for two minutes";
  }

  @Override
  public void check(JsonObject given) {
    new GivenSettings(given).check(MINUTES, SEED, Setting.HEARTBEAT_TIMEOUT);
  }

  private static void requireInterrupts() {
    if (Site.ignoresInterrupts()) {
      throw new UsageException(
          "chaos: this process ignores SIGINT, as after nohup or &, so worlds would not react to"
              + " it; start chaos in the foreground");
    }
  }

  @Override
  public int run(JsonObject given) throws IOException, InterruptedException {
    requireInterrupts();
    GivenSettings settings = new GivenSettings(given);
    long seed = settings.seed();
    long minutes = settings.duration(MINUTES).toMinutes();
    Setting heartbeat = Setting.HEARTBEAT_TIMEOUT;
    long seconds = given.getInteger(heartbeat.key(), (Integer) heartbeat.standard());
    return new Run(Site.make(), Duration.ofSeconds(seconds)).last(seed, minutes);
  }

  /// Runs the worlds.
  private static final class Run {
    private final Site site;
    private final Duration heartbeatTimeout;
    private final List<Long> pids = new ArrayList<>();
    private int worlds;
    private int wrong;

    Run(Site site, Duration heartbeatTimeout) {
      this.site = site;
      this.heartbeatTimeout = heartbeatTimeout;
    }

    /// Runs worlds for the given time and returns the exit code.
    int last(long seed, long minutes) throws IOException, InterruptedException {
      say(
          "seed %d, %d minutes, heartbeat timeout %d s%s%s"
              .formatted(seed, minutes, heartbeatTimeout.toSeconds(), clocks(), networks()));
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
      long next = seed;
      while (System.nanoTime() - end < 0) {
        if (next % TURN == 0) {
          runLaunched(next);
        }
        run(Plan.of(next++, heartbeatTimeout));
      }
      TimeUnit.SECONDS.sleep(NEW_SECONDS);
      run(Plan.quiet(next, heartbeatTimeout));
      List<String> left = new ArrayList<>(site.files());
      left.addAll(Site.lanesOf(pids));
      left.forEach(file -> say("WRONG left over at the end: " + file));
      say("%d worlds, %d wrong, %d files left over".formatted(worlds, wrong, left.size()));
      return finish(wrong == 0 && left.isEmpty());
    }

    private String clocks() {
      return site.hasClocks() ? "" : ", no clock changes (they require Linux and cc)";
    }

    private String networks() {
      return site.hasNetworks() ? "" : ", no network cuts (they require Linux, ip and root)";
    }

    private void run(Plan plan) throws IOException, InterruptedException {
      say(plan.toString());
      long start = System.nanoTime();
      try (ChaosWorld world = new ChaosWorld(plan, site, ChaosBench::say)) {
        Outcome outcome = world.run();
        pids.addAll(world.pids());
        tell(start, codes(outcome), Verdict.on(outcome));
      }
    }

    private void runLaunched(long seed) throws IOException, InterruptedException {
      long start = System.nanoTime();
      try (LaunchedWorld world = new LaunchedWorld(seed, heartbeatTimeout, site)) {
        say(world.toString());
        List<String> verdict = world.run();
        pids.addAll(world.pids());
        tell(start, world.pids().size() + " processes", verdict);
      }
    }

    private void tell(long start, String how, List<String> verdict) {
      worlds++;
      say("  %5.1f s  %s".formatted((System.nanoTime() - start) / 1e9, how));
      verdict.forEach(line -> say("  WRONG " + line));
      wrong += verdict.isEmpty() ? 0 : 1;
    }

    private static String codes(Outcome outcome) {
      List<String> codes = new ArrayList<>();
      for (Outcome.End end : outcome.ends()) {
        codes.add(end + ": " + (end.code().isPresent() ? end.code().getAsInt() : "hangs"));
      }
      return String.join("; ", codes);
    }

    private int finish(boolean isClean) throws IOException {
      if (isClean) {
        site.remove();
        return 0;
      }
      say("output of each process: " + site.reports());
      return 1;
    }
  }

  private static void say(String line) {
    System.out.println(line);
  }
}
