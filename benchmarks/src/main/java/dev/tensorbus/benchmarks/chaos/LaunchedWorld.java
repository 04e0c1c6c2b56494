// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.chaos;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.rpc.FreePort;
import dev.tensorbus.verticles.command.Main;
import dev.tensorbus.verticles.worker.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// A world that is run by a single command: `tensorbus train NAME` without a rank, or `tensorbus
/// run`. Either only the command receives a signal, and its workers must end with it; or all
/// processes are paused for less than the heartbeat timeout, and must continue after the pause; or
/// the world is left undisturbed.
final class LaunchedWorld implements AutoCloseable {
  private static final Duration ORPHANED = Duration.ofSeconds(15);
  private static final int LAST_MILLIS = 15_000;
  private static final long POLL_MILLIS = 50;

  /// The signal that the command receives.
  enum Signal {
    NONE(0),
    INT(Failure.INTERRUPTED),
    KILL(Verdict.KILLED),
    PAUSE(0);

    private final int code;

    Signal(int code) {
      this.code = code;
    }
  }

  private final long seed;
  private final Site site;
  private final @Nullable Workload workload; // null for a user's class
  private final int worldSize;
  private final Signal signal;
  private final boolean isEarly;
  private final Duration at;
  private final Duration pause;
  private final int burnersPerCore;
  private final Duration heartbeatTimeout;
  private final List<ProcessHandle> workers = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();
  private final Burners burners;
  private final RankProcess command;

  /// Starts a world; equal seeds and timeouts yield equal worlds.
  LaunchedWorld(long seed, Duration heartbeatTimeout, Site site) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    this.heartbeatTimeout = heartbeatTimeout;
    this.seed = seed;
    this.site = site;
    this.workload = random.nextInt(3) == 0 ? null : Workload.inTurn(seed);
    this.worldSize = random.nextInt(2, workload == null ? 4 : workload.mostWorkers() + 1);
    this.signal = Signal.values()[random.nextInt(Signal.values().length)];
    this.isEarly = random.nextInt(4) == 0;
    this.at = Duration.ofMillis(random.nextInt(500, LAST_MILLIS));
    this.pause = Plan.pause(heartbeatTimeout, random);
    this.burnersPerCore = Plan.burners(random);
    this.burners = Burners.perCore(burnersPerCore);
    ProcessBuilder builder =
        site.process(
            Jvm.current()
                .command(
                    Main.class.getName(), workload == null ? runWords() : trainWords(workload)));
    builder.environment().putAll(environment());
    this.command = RankProcess.start(0, false, builder);
  }

  private List<String> runWords() {
    return List.of(
        "run",
        "--workers",
        Integer.toString(worldSize),
        UserMain.class.getName(),
        Long.toString(heartbeatTimeout.toSeconds()));
  }

  private List<String> trainWords(Workload workload) {
    List<String> arguments = new ArrayList<>(List.of("train", workload.program()));
    arguments.addAll(workload.settings());
    arguments.addAll(List.of("--world-size", Integer.toString(worldSize)));
    arguments.addAll(List.of("--master-port", Integer.toString(FreePort.find())));
    arguments.addAll(List.of("--threads", "1"));
    arguments.addAll(List.of("--heartbeat-timeout", Long.toString(heartbeatTimeout.toSeconds())));
    if (workload == Workload.CARTPOLE) {
      arguments.addAll(List.of("--curve", site.work().resolve("curve.png").toString()));
    }
    return arguments;
  }

  /// Sets the temporary folder with an environment variable, which the workers inherit, unlike a
  /// flag.
  private Map<String, String> environment() {
    return Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + site.temporary());
  }

  /// Runs the world to its end and returns a line for each violation.
  List<String> run() throws IOException, InterruptedException {
    List<String> before = site.files();
    awaitSignal();
    boolean isOver = !command.isAlive() || command.hasSaid(finish());
    workers.addAll(command.descendants());
    send();
    Duration bound = ChaosWorld.bound(burnersPerCore);
    command.awaitEnd(System.nanoTime() + bound.toNanos(), report("threads"));
    judge(command.end().code(), isOver);
    awaitWorkers();
    if (signal != Signal.KILL) { // the next start removes the files of killed workers
      site.files().stream()
          .filter(file -> !before.contains(file))
          .forEach(file -> wrong.add("left over: " + file));
      Site.lanesOf(pids()).forEach(file -> wrong.add("left over: " + file));
    }
    Files.write(report("launched.log"), command.lines());
    return wrong;
  }

  private String finish() {
    return workload == null ? UserMain.FINISH : workload.finish();
  }

  private void send() throws IOException, InterruptedException {
    switch (signal) {
      case NONE -> {}
      case INT, KILL -> command.signal(signal.name());
      case PAUSE -> {
        List<ProcessHandle> all = new ArrayList<>(workers);
        all.add(command.handle());
        RankProcess.signal("STOP", all);
        Thread.sleep(pause);
        RankProcess.signal("CONT", all);
      }
    }
  }

  private Path report(String name) {
    return site.reports().resolve(seed + "-" + name);
  }

  /// Waits until the signal is due: while the workers start if this world is early, otherwise some
  /// time after all of them have joined.
  private void awaitSignal() throws InterruptedException {
    while (!isEarly && command.isAlive() && !command.hasSaid(ChaosWorld.COMPLETE)) {
      Thread.sleep(POLL_MILLIS);
    }
    long time = System.nanoTime() + at.toNanos();
    while (System.nanoTime() - time < 0 && command.isAlive()) {
      Thread.sleep(POLL_MILLIS);
    }
  }

  private void judge(OptionalInt code, boolean isOver) {
    if (code.isEmpty()) {
      wrong.add("the command hangs");
    } else if (code.getAsInt() != signal.code && !(isOver && code.getAsInt() == 0)) {
      wrong.add("the command ended with code " + code.getAsInt() + " after " + signal);
    }
    command.lines().stream()
        .filter(line -> line.contains("error: ") || (signal.code == 0 && isLoss(line)))
        .forEach(line -> wrong.add("it printed " + line));
  }

  private static boolean isLoss(String line) {
    return Verdict.lost(line).isPresent();
  }

  private void awaitWorkers() throws InterruptedException {
    long deadline = System.nanoTime() + ORPHANED.toNanos();
    for (ProcessHandle worker : workers) {
      while (worker.isAlive() && System.nanoTime() - deadline < 0) {
        Thread.sleep(POLL_MILLIS);
      }
      if (worker.isAlive()) {
        wrong.add("orphan: process " + worker.pid());
      }
    }
  }

  /// Returns the ids of the workers that were alive at the time of the signal.
  List<Long> pids() {
    return workers.stream().map(ProcessHandle::pid).toList();
  }

  @Override
  public String toString() {
    return "seed %d: %s of %d by one command%s%s: %s after %.1f s"
        .formatted(
            seed,
            workload == null ? "a user's class" : workload.program(),
            worldSize,
            isEarly ? ", early" : "",
            Plan.busy(burnersPerCore),
            signal,
            at.toMillis() / 1e3);
  }

  /// Kills the remaining processes.
  @Override
  public void close() {
    command.kill();
    burners.close();
    workers.forEach(ProcessHandle::destroyForcibly);
  }
}
