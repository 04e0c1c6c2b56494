// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.rpc.testing.NetworkNamespaces;
import dev.tensorbus.rpc.testing.WallClock;
import dev.tensorbus.verticles.command.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Runs a world, with a process per worker, and disturbs it according to a plan.
final class ChaosWorld implements AutoCloseable {
  /// The time after which a world counts as hung. On an idle machine, the training takes 20 s, and
  /// all timeouts together take less than four minutes.
  private static final Duration BOUND = Duration.ofMinutes(5);

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /// The factor by which burners may slow everything down.
  private static final int SLOWNESS = 4;

  /// Part of the line that a world prints when all its workers have joined.
  static final String COMPLETE = "is complete";
  private static final long POLL_MILLIS = 50;

  private final Plan plan;
  private final Site site;
  private final Consumer<String> log;
  private final @Nullable NetworkNamespaces network;
  private final Burners burners;
  private final int port = FreePort.find();
  private final long start = System.nanoTime();
  private final List<@Nullable WallClock> clocks = new ArrayList<>();
  private final List<RankProcess> processes = new ArrayList<>();
  private final List<Outcome.Happened> happened = new ArrayList<>();

  ChaosWorld(Plan plan, Site site, Consumer<String> log) throws IOException {
    this.plan = plan;
    this.site = site;
    this.log = log;
    this.network =
        plan.isApart() && site.hasNetworks() ? NetworkNamespaces.of(plan.worldSize()) : null;
    this.burners = Burners.perCore(plan.burners());
    for (int rank = 0; rank < plan.worldSize(); rank++) {
      clocks.add(site.hasClocks() ? WallClock.in(site.work()) : null);
    }
  }

  /// Runs the world until all its processes have ended. If the world hangs, writes thread dumps to
  /// the report folder and kills the processes.
  Outcome run() throws IOException, InterruptedException {
    List<String> before = site.files();
    for (int rank = 0; rank < plan.worldSize(); rank++) {
      launch(rank, false);
    }
    long zero = plan.isEarly() ? start : awaitComplete();
    for (Plan.Event event : plan.events()) {
      if (isAliveAt(zero + event.at().toNanos())) {
        play(event);
      }
    }
    long deadline = start + bound(plan.burners()).toNanos();
    for (RankProcess process : processes) {
      String name = "threads-%d-%d-%d".formatted(plan.seed(), process.rank(), process.pid());
      process.awaitEnd(deadline, site.reports().resolve(name));
    }
    report();
    List<Outcome.End> ends = processes.stream().map(RankProcess::end).toList();
    return new Outcome(plan, ends, happened, leftOver(before));
  }

  /// Returns the maximum duration of a world with the given number of burners per core.
  static Duration bound(int burners) {
    return burners == 0 ? BOUND : BOUND.multipliedBy(SLOWNESS);
  }

  private Duration timeout() {
    return plan.burners() == 0 ? TIMEOUT : TIMEOUT.multipliedBy(SLOWNESS);
  }

  /// Returns leftover processes and, unless a process was killed, leftover files. (The next start
  /// removes the files of killed processes.)
  private List<String> leftOver(List<String> before) {
    List<String> all = new ArrayList<>(site.processes());
    if (processes.stream().noneMatch(process -> process.end().isKilled())) {
      site.files().stream().filter(file -> !before.contains(file)).forEach(all::add);
      all.addAll(Site.lanesOf(pids()));
    }
    return all;
  }

  private void report() throws IOException {
    for (RankProcess process : processes) {
      String name = "%d-%d-%d.log".formatted(plan.seed(), process.rank(), process.pid());
      Files.write(site.reports().resolve(name), process.lines());
    }
  }

  /// Returns the ids of all processes that the world has started.
  List<Long> pids() {
    return processes.stream().map(RankProcess::pid).toList();
  }

  private void launch(int rank, boolean isRestarted) throws IOException {
    List<String> command =
        Jvm.current()
            .command(
                List.of("-Djava.io.tmpdir=" + site.temporary()),
                Main.class.getName(),
                arguments(rank));
    ProcessBuilder builder = site.process(network == null ? command : network.in(rank, command));
    WallClock clock = clocks.get(rank);
    if (clock != null) {
      builder.environment().putAll(clock.environment());
    }
    processes.add(RankProcess.start(rank, isRestarted, builder));
  }

  private List<String> arguments(int rank) {
    List<String> arguments = new ArrayList<>(List.of("train", plan.workload().program()));
    arguments.addAll(plan.workload().settings());
    option(arguments, "--world-size", plan.worldSize());
    option(arguments, "--rank", rank);
    if (network != null) {
      option(arguments, "--master-addr", network.address(0));
      arguments.add("--trusted-network");
    }
    option(arguments, "--master-port", port);
    option(arguments, "--timeout", timeout().toSeconds());
    option(arguments, "--heartbeat-timeout", plan.heartbeatTimeout().toSeconds());
    option(arguments, "--threads", 1);
    if (plan.workload() == Workload.CARTPOLE) {
      option(arguments, "--curve", site.work().resolve("curve.png"));
    }
    return arguments;
  }

  private static void option(List<String> arguments, String name, Object value) {
    arguments.addAll(List.of(name, value.toString()));
  }

  /// Waits until all workers have joined or all have ended, and returns the current
  /// [System#nanoTime].
  private long awaitComplete() throws InterruptedException {
    while (!hasSaid(COMPLETE) && isAnyoneAlive()) {
      Thread.sleep(POLL_MILLIS);
    }
    return System.nanoTime();
  }

  /// Waits until the given time or until all workers have ended. Returns whether a worker is alive.
  private boolean isAliveAt(long time) throws InterruptedException {
    while (System.nanoTime() - time < 0 && isAnyoneAlive()) {
      Thread.sleep(POLL_MILLIS);
    }
    return isAnyoneAlive();
  }

  private boolean isAnyoneAlive() {
    return processes.stream().anyMatch(RankProcess::isAlive);
  }

  private void play(Plan.Event event) throws IOException, InterruptedException {
    boolean isComplete = hasSaid(COMPLETE);
    boolean isFinished = hasSaid(plan.workload().finish());
    if (isPlayed(event.what())) {
      long after = Duration.ofNanos(System.nanoTime() - start).toMillis();
      happened.add(new Outcome.Happened(event.what(), isComplete, isFinished, after));
      String stage = isFinished ? "finished" : isComplete ? "at work" : "not complete";
      log.accept("  %5.1f s  %s (%s)".formatted(after / 1e3, event.what(), stage));
    }
  }

  private boolean hasSaid(String text) {
    return processes.stream().anyMatch(process -> process.hasSaid(text));
  }

  /// Applies a disturbance, and returns whether it had a target.
  private boolean isPlayed(Disturbance what) throws IOException, InterruptedException {
    switch (what) {
      case Disturbance.Kill(int rank) -> {
        Optional<RankProcess> victim = living(rank);
        if (victim.isPresent()) {
          victim.get().kill();
        }
        return victim.isPresent();
      }
      case Disturbance.Restart(int rank) -> {
        if (living(rank).isPresent()) {
          return false;
        }
        launch(rank, true);
        return true;
      }
      case Disturbance.Freeze(int rank) -> {
        return isSignalled(rank, "STOP");
      }
      case Disturbance.Thaw(int rank) -> {
        return isSignalled(rank, "CONT");
      }
      case Disturbance.Step(int rank, Duration change) -> {
        WallClock clock = clocks.get(rank);
        if (clock != null) {
          clock.step(change);
        }
        return clock != null;
      }
      case Disturbance.Cut(int one, int other) -> {
        if (network != null) {
          network.cut(one, other);
        }
        return network != null;
      }
      case Disturbance.Heal(int one, int other) -> {
        if (network != null) {
          network.heal(one, other);
        }
        return network != null;
      }
    }
  }

  private boolean isSignalled(int rank, String signal) throws IOException, InterruptedException {
    Optional<RankProcess> process = living(rank);
    if (process.isPresent()) {
      process.get().signal(signal);
    }
    return process.isPresent();
  }

  private Optional<RankProcess> living(int rank) {
    return processes.stream().filter(p -> p.rank() == rank && p.isAlive()).findFirst();
  }

  /// Kills the remaining processes.
  @Override
  public void close() {
    processes.forEach(RankProcess::kill);
    burners.close();
    if (network != null) {
      network.close();
    }
  }
}
