// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.world;

import dev.tensorbus.verticles.Program;
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

/// All workers of a world on this machine, each in a JVM of its own, until they are done.
///
/// A world lives as long as its rank 0: another worker that dies is missed by nobody but the
/// user, who is told; when rank 0 dies, the others may say why before they are stopped.
public final class LocalWorld {
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);
  private static final Duration CLEAN_STOP = Duration.ofSeconds(3);
  private static final Duration SIGNAL_DELAY = Duration.ofMillis(200);

  private final List<WorkerCommand> commands;
  private final int restarts;
  private final Display display;
  private final Map<Integer, Integer> failures = new HashMap<>();
  private final Map<Integer, WorkerProcess> alive = new ConcurrentSkipListMap<>();
  private final BlockingQueue<WorkerProcess> ended = new LinkedBlockingQueue<>();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final List<String> lost = new ArrayList<>();
  private int othersDone;

  private LocalWorld(List<WorkerCommand> commands, int restarts, Display display) {
    this.commands = commands;
    this.restarts = restarts;
    this.display = display;
  }

  /// Runs the workers that `options` asks for and gives the exit code.
  public static int run(Program program, WorkerOptions options, Display display)
      throws InterruptedException {
    return run(WorkerCommand.ofAll(program, options, RoleMain.class), display);
  }

  /// Runs these workers and gives the exit code: 0 if the world went on to
  /// its end, even without some of them.
  public static int run(List<WorkerCommand> workers, Display display) throws InterruptedException {
    return new LocalWorld(workers, 0, display).run();
  }

  /// The same, but a worker that fails is started again under its rank, and one that is lost for
  /// good makes the whole run fail.
  ///
  /// @param restarts how often each worker may be started again
  public static int run(List<WorkerCommand> workers, int restarts, Display display)
      throws InterruptedException {
    LocalWorld world = new LocalWorld(workers, restarts, display);
    int code = world.run();
    return world.lost.isEmpty() ? code : Failure.FAILED;
  }

  private int run() throws InterruptedException {
    Thread hook = new Thread(this::stop);
    Runtime.getRuntime().addShutdownHook(hook);
    commands.forEach(this::start);
    return supervise();
  }

  private void start(WorkerCommand command) {
    try {
      WorkerProcess worker = WorkerProcess.start(command, display);
      alive.put(command.rank(), worker);
      Thread.startVirtualThread(() -> ended.add(worker.end().join()));
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
      } else if (!survives(worker)) {
        return Failure.FAILED;
      }
    }
    if (!lost.isEmpty()) {
      display.warn("warning: finished without " + String.join(", ", lost));
    }
    return 0;
  }

  private void restart(WorkerProcess worker) {
    worker.dropShare();
    display.warn(
        "warning: %s is lost (%s); it is started again, %d of %d"
            .formatted(worker.name(), worker.manner(), failures.get(worker.rank()), restarts));
    start(worker.command());
  }

  /// Ctrl-C reaches the workers as well as this JVM, and perhaps first.
  private boolean isStopping() throws InterruptedException {
    return stopping.await(SIGNAL_DELAY.toMillis(), TimeUnit.MILLISECONDS);
  }

  /// Whether the world goes on without this worker.
  private boolean survives(WorkerProcess worker) {
    boolean isFirst = worker.rank() == 0;
    boolean othersLeft = othersDone + alive.size() - (alive.containsKey(0) ? 1 : 0) > 0;
    worker.dropShare();
    if (!isFirst && othersLeft) {
      lost.add(worker.name());
      display.warn(
          "warning: %s is lost (%s); the others go on".formatted(worker.name(), worker.manner()));
      return true;
    }
    if (!worker.hasSpoken()) {
      display.warn("error: %s is lost (%s)".formatted(worker.name(), worker.manner()));
    }
    if (isFirst) {
      awaitAll(alive.values(), LAST_WORDS);
    }
    stop();
    return false;
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
