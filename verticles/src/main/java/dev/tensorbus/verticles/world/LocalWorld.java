// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.rpc.thread.SystemThreads;
import dev.tensorbus.verticles.Program;
import dev.tensorbus.verticles.ServerSettings;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.progress.Display;
import dev.tensorbus.verticles.progress.LostWorkers;
import dev.tensorbus.verticles.worker.Failure;
import dev.tensorbus.verticles.worker.RoleMain;
import dev.tensorbus.verticles.world.WorkerCommand.Group;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// Runs all workers of a world on this machine, each in its own JVM, until they are done.
///
/// A failed worker is restarted up to the given number of times; after that, it is lost. The world
/// ends if too few workers of its [group][WorkerCommand.Group] are left, such as no rank 0;
/// otherwise [OnLoss] decides. Each loss is reported: which worker was lost, how its process ended
/// and what follows.
public final class LocalWorld {
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);
  private static final Duration CLEAN_STOP = Duration.ofSeconds(3);
  private static final Duration SETTLING = Duration.ofSeconds(1);
  private static final Duration SIGNAL_DELAY = Duration.ofMillis(200);

  private final List<WorkerCommand> commands;
  private final int restarts;
  private final OnLoss onLoss;
  private final Display display;
  private final LostWorkers losses;
  private final Map<Integer, Integer> failures = new ConcurrentHashMap<>();
  private final Set<Integer> finished = ConcurrentHashMap.newKeySet();
  private final Map<Integer, WorkerProcess> alive = new ConcurrentSkipListMap<>();
  private final BlockingQueue<WorkerProcess> ended = new LinkedBlockingQueue<>();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final List<WorkerProcess> lost = new ArrayList<>();
  private volatile boolean isReadyKnown;

  /// By group: the number of its workers that have finished.
  private final Map<Group, Integer> done = new HashMap<>();

  private LocalWorld(
      List<WorkerCommand> commands,
      int restarts,
      OnLoss onLoss,
      Display display,
      LostWorkers losses) {
    this.commands = commands;
    this.restarts = restarts;
    this.onLoss = onLoss;
    this.display = display;
    this.losses = losses;
  }

  /// Runs the workers described by `options` and returns the exit code.
  public static int run(Program program, WorkerOptions options, Display display)
      throws InterruptedException {
    OnLoss onLoss = OnLoss.of(options.word(Setting.ON_LOSS));
    List<WorkerCommand> workers = WorkerCommand.ofAll(program, options, RoleMain.class);
    return run(workers, ServerSettings.restarts(options), onLoss, display);
  }

  /// Runs these workers and returns the exit code: 0 if the world finished, even without some
  /// workers if `onLoss` is [OnLoss#CONTINUE].
  ///
  /// @param restarts the maximum number of restarts of each worker
  public static int run(List<WorkerCommand> workers, int restarts, OnLoss onLoss, Display display)
      throws InterruptedException {
    LostWorkers losses = createLostWorkers();
    try {
      return new LocalWorld(workers, restarts, onLoss, display, losses).run();
    } finally {
      losses.delete();
    }
  }

  private static LostWorkers createLostWorkers() {
    try {
      return LostWorkers.create();
    } catch (IOException e) {
      throw new UncheckedIOException("no temporary file can be written: " + e.getMessage(), e);
    }
  }

  private int run() throws InterruptedException {
    SystemThreads.atExit("stop-workers", this::stopAtExit);
    try {
      commands.forEach(this::start);
      exitCode.complete(supervise());
      return exitCode.join();
    } finally {
      exitCode.complete(Failure.FAILED); // unless it has a value
    }
  }

  /// Runs as a shutdown hook. If Ctrl-C only closes the page of a world that has finished, this JVM
  /// ends with the exit code of the world, and not as an interrupted one.
  private void stopAtExit() {
    boolean onlyShowsItsPage = !exitCode.isDone() && hasFinished();
    stop();
    if (onlyShowsItsPage) {
      int code =
          exitCode
              .completeOnTimeout(Failure.INTERRUPTED, SETTLING.toMillis(), TimeUnit.MILLISECONDS)
              .join();
      Runtime.getRuntime().halt(code);
    }
  }

  /// Returns whether there are workers, and all have finished. If one has, waits briefly for the
  /// others, which end after it has begun to show the page.
  private boolean hasFinished() {
    List<CompletableFuture<WorkerProcess>> finished =
        alive.values().stream().map(WorkerProcess::finished).toList();
    if (finished.stream().anyMatch(CompletableFuture::isDone)) {
      await(finished, SETTLING);
    }
    return !finished.isEmpty() && finished.stream().allMatch(CompletableFuture::isDone);
  }

  private void start(WorkerCommand command) {
    try {
      WorkerProcess worker = WorkerProcess.start(command, losses.variable(), display);
      alive.put(command.rank(), worker);
      CompletableFuture<Void> _ = worker.ready().thenAccept(this::addReady);
      CompletableFuture<Void> _ = worker.finished().thenAccept(this::addFinished);
      CompletableFuture<Void> _ = worker.end().thenAccept(ended::add);
    } catch (IOException e) {
      stop();
      throw new UncheckedIOException(command.name() + " did not start: " + e.getMessage(), e);
    }
  }

  private void addReady(WorkerProcess worker) {
    isReadyKnown = true;
    if (failures.containsKey(worker.rank())) {
      losses.add(worker.name(), ""); // its next loss may have no exit code, as an eviction
    }
  }

  private void addFinished(WorkerProcess worker) {
    finished.add(worker.rank());
    stopTheLate();
  }

  /// Stops the workers that have not joined again when there is nobody left to join. They would
  /// wait until their timeout. Without reports of ready workers, it is unknown who waits.
  private void stopTheLate() {
    if (isReadyKnown) {
      alive.values().stream()
          .filter(worker -> failures.containsKey(worker.rank()) && !worker.ready().isDone())
          .filter(worker -> hasNobodyToJoin(worker.rank()))
          .forEach(WorkerProcess::stop);
    }
  }

  /// Returns whether a worker that starts now would wait in vain: workers meet at rank 0, which in
  /// turn waits for all others.
  private boolean hasNobodyToJoin(int rank) {
    return rank == 0
        ? commands.size() > 1 && finished.size() == commands.size() - 1
        : finished.contains(0);
  }

  private int supervise() throws InterruptedException {
    while (!alive.isEmpty()) {
      WorkerProcess worker = ended.take();
      alive.remove(worker.rank());
      if (!worker.hasFailed()) {
        done.merge(worker.command().group(), 1, Integer::sum);
        continue;
      }
      if (isStopping()) {
        return Failure.INTERRUPTED;
      }
      losses.add(worker.name(), worker.manner());
      int failed = failures.merge(worker.rank(), 1, Integer::sum);
      if (failed <= restarts && !hasNobodyToJoin(worker.rank())) {
        restart(worker);
        stopTheLate(); // rank 0 may have finished since
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
    return onLoss == OnLoss.CONTINUE && isEnough(worker.command().group());
  }

  /// Returns whether enough workers of a group are alive or have finished.
  private boolean isEnough(Group group) {
    long left = alive.values().stream().filter(one -> one.command().group().equals(group)).count();
    return done.getOrDefault(group, 0) + left >= group.least();
  }

  private void goOnWithout(WorkerProcess worker) {
    lost.add(worker);
    String undone = worker.undone();
    worker.dropShare();
    display.warn(
        "warning: "
            + loss(worker)
            + (unfinished().isEmpty() ? "" : "; " + names(" continues", " continue"))
            + (undone.isEmpty() ? "" : "; " + undone + " and their data are left out"));
  }

  private void endWith(WorkerProcess worker) throws InterruptedException {
    worker.dropShare();
    display.warn("error: " + loss(worker) + consequence(worker));
    if (worker.command().group().equals(Group.FIRST)) {
      awaitAll(alive.values(), LAST_WORDS);
    }
    stop();
    alive.values().stream()
        .filter(WorkerProcess::hasFailedUnasked)
        .forEach(other -> display.warn("error: " + loss(other)));
  }

  private String loss(WorkerProcess worker) {
    int again = failures.getOrDefault(worker.rank(), 1) - 1;
    return "%s is lost (%s)%s%s"
        .formatted(
            worker.name(),
            worker.manner(),
            again == 0 ? "" : " after " + again + (again == 1 ? " restart" : " restarts"),
            restarts > 0 && hasNobodyToJoin(worker.rank()) ? whyNotAgain(worker) : "");
  }

  private static String whyNotAgain(WorkerProcess worker) {
    return "; it cannot join again: "
        + (worker.rank() == 0 ? "all others have finished" : "rank 0 has finished");
  }

  private String consequence(WorkerProcess worker) {
    if (unfinished().isEmpty()) {
      return "";
    }
    Group group = worker.command().group();
    boolean isStop = onLoss == OnLoss.STOP && !group.equals(Group.FIRST);
    String reason = isStop ? "--on-loss is stop" : group.shortage();
    return "; " + reason + ": " + names(" is stopped", " are stopped");
  }

  private String names(String doesOne, String doMany) {
    List<WorkerProcess> workers = unfinished();
    return workers.stream().map(WorkerProcess::name).collect(Collectors.joining(", "))
        + (workers.size() == 1 ? doesOne : doMany);
  }

  /// Returns the workers that are alive and have not finished.
  private List<WorkerProcess> unfinished() {
    return alive.values().stream().filter(worker -> !finished.contains(worker.rank())).toList();
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
    losses.delete();
  }

  private static void awaitAll(Collection<WorkerProcess> workers, Duration patience) {
    await(workers.stream().map(WorkerProcess::end).toList(), patience);
  }

  private static void await(List<CompletableFuture<WorkerProcess>> all, Duration patience) {
    CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS)
        .join();
  }
}
