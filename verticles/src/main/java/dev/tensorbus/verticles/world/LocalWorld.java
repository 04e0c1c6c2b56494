// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.rpc.thread.SystemThreads;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.progress.Display;
import dev.tensorbus.verticles.worker.Failure;
import dev.tensorbus.verticles.worker.RoleMain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Runs all workers of a world on this machine, each in its own JVM, until they are done.
///
/// A failed worker is restarted up to the given number of times; after that, it is lost. The loss
/// of rank 0 ends the world; [OnLoss] decides what happens if another worker is lost. Each loss is
/// reported: which worker was lost, how its process ended and what follows.
public final class LocalWorld {
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);
  private static final Duration CLEAN_STOP = Duration.ofSeconds(3);
  private static final Duration SIGNAL_DELAY = Duration.ofMillis(200);

  private final List<WorkerCommand> commands;
  private final int restarts;
  private final OnLoss onLoss;
  private final Display display;
  private final Map<Integer, Integer> failures = new HashMap<>();
  private final Map<Integer, WorkerProcess> alive = new ConcurrentSkipListMap<>();
  private final BlockingQueue<WorkerProcess> ended = new LinkedBlockingQueue<>();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final List<WorkerProcess> lost = new ArrayList<>();
  private int othersDone;

  private LocalWorld(List<WorkerCommand> commands, int restarts, OnLoss onLoss, Display display) {
    this.commands = commands;
    this.restarts = restarts;
    this.onLoss = onLoss;
    this.display = display;
  }

  /// Runs the workers described by `options` and returns the exit code.
  public static int run(Program program, WorkerOptions options, Display display)
      throws InterruptedException {
    OnLoss onLoss = OnLoss.of(options.word(Setting.ON_LOSS));
    return run(WorkerCommand.ofAll(program, options, RoleMain.class), 0, onLoss, display);
  }

  /// Runs these workers and returns the exit code: 0 if the world finished, even without some
  /// workers if `onLoss` is [OnLoss#CONTINUE].
  ///
  /// @param restarts the maximum number of restarts of each worker
  public static int run(List<WorkerCommand> workers, int restarts, OnLoss onLoss, Display display)
      throws InterruptedException {
    return new LocalWorld(workers, restarts, onLoss, display).run();
  }

  private int run() throws InterruptedException {
    SystemThreads.atExit("stop-workers", this::stop);
    commands.forEach(this::start);
    return supervise();
  }

  private void start(WorkerCommand command) {
    try {
      WorkerProcess worker = WorkerProcess.start(command, display);
      alive.put(command.rank(), worker);
      CompletableFuture<Void> _ = worker.end().thenAccept(ended::add);
    } catch (IOException e) {
      stop();
      throw new UncheckedIOException(command.name() + " did not start: " + e.getMessage(), e);
    }
  }

  private int supervise() throws InterruptedException {
    while (!alive.isEmpty()) {
      WorkerProcess worker = ended.take();
      alive.remove(worker.rank());
      if (!worker.hasFailed()) {
        othersDone += worker.rank() == 0 ? 0 : 1;
      } else if (isStopping()) {
        return Failure.INTERRUPTED;
      } else if (failures.merge(worker.rank(), 1, Integer::sum) <= restarts) {
        restart(worker);
      } else if (canGoOnWithout(worker)) {
        goOnWithout(worker);
      } else {
        endWith(worker);
        return Failure.FAILED;
      }
    }
    if (!lost.isEmpty()) {
      display.warn("warning: finished without " + leftOut());
    }
    return 0;
  }

  private void restart(WorkerProcess worker) {
    worker.dropShare();
    display.warn(
        "warning: %s is lost (%s); restart %d of %d"
            .formatted(worker.name(), worker.manner(), failures.get(worker.rank()), restarts));
    start(worker.command());
  }

  /// Returns whether this JVM is shutting down. Waits briefly, because Ctrl-C may reach the workers
  /// first.
  private boolean isStopping() throws InterruptedException {
    return stopping.await(SIGNAL_DELAY.toMillis(), TimeUnit.MILLISECONDS);
  }

  private boolean canGoOnWithout(WorkerProcess worker) {
    return worker.rank() != 0 && onLoss == OnLoss.CONTINUE && hasOthers();
  }

  /// Returns whether a worker other than rank 0 is alive or has finished.
  private boolean hasOthers() {
    return othersDone + alive.size() - (alive.containsKey(0) ? 1 : 0) > 0;
  }

  private void goOnWithout(WorkerProcess worker) {
    lost.add(worker);
    String undone = worker.undone();
    worker.dropShare();
    display.warn(
        "warning: "
            + loss(worker)
            + (alive.isEmpty() ? "" : "; " + names(" continues", " continue"))
            + (undone.isEmpty() ? "" : "; " + undone + " and their data are left out"));
  }

  private void endWith(WorkerProcess worker) throws InterruptedException {
    worker.dropShare();
    display.warn("error: " + loss(worker) + consequence(worker));
    if (worker.rank() == 0) {
      awaitAll(alive.values(), LAST_WORDS);
    }
    stop();
    alive.values().stream()
        .filter(WorkerProcess::hasFailedUnasked)
        .forEach(other -> display.warn("error: " + loss(other)));
  }

  private String loss(WorkerProcess worker) {
    int again = failures.getOrDefault(worker.rank(), 1) - 1;
    return "%s is lost (%s)%s"
        .formatted(
            worker.name(),
            worker.manner(),
            again == 0 ? "" : " after " + again + (again == 1 ? " restart" : " restarts"));
  }

  private String consequence(WorkerProcess worker) {
    if (alive.isEmpty()) {
      return "";
    }
    String reason = "no worker other than rank 0 is left";
    if (worker.rank() == 0) {
      reason = "a world cannot continue without rank 0";
    } else if (onLoss == OnLoss.STOP) {
      reason = "--on-loss is stop";
    }
    return "; " + reason + ": " + names(" is stopped", " are stopped");
  }

  private String names(String doesOne, String doMany) {
    return alive.values().stream().map(WorkerProcess::name).collect(Collectors.joining(", "))
        + (alive.size() == 1 ? doesOne : doMany);
  }

  private String leftOut() {
    return lost.stream()
        .map(
            worker ->
                worker.name()
                    + (worker.undone().isEmpty() ? "" : " (" + worker.undone() + " left out)"))
        .collect(Collectors.joining(", "));
  }

  private void stop() {
    stopping.countDown();
    List<WorkerProcess> workers = List.copyOf(alive.values());
    workers.forEach(WorkerProcess::stop);
    awaitAll(workers, CLEAN_STOP);
    workers.forEach(WorkerProcess::kill);
  }

  private static void awaitAll(Collection<WorkerProcess> workers, Duration patience) {
    CompletableFuture.allOf(
            workers.stream().map(WorkerProcess::end).toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }
}
