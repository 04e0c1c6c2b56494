// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.command;

import dev.tensorbus.launch.Jvm;
import dev.tensorbus.verticles.Role;
import dev.tensorbus.verticles.Setting;
import dev.tensorbus.verticles.WorkerOptions;
import dev.tensorbus.verticles.progress.Display;
import dev.tensorbus.verticles.progress.ProgressEvents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/// All workers of a world on this machine, each in a JVM of its own, until they are done.
///
/// A world lives as long as its parameter server: a trainer that dies is missed by nobody but the
/// user, who is told; when the server dies, the trainers may say why before they are stopped.
public final class LocalWorld {
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);
  private static final Duration CLEAN_STOP = Duration.ofSeconds(3);
  private static final Duration SIGNAL_DELAY = Duration.ofMillis(200);

  private final Display display;
  private final Map<Integer, WorkerProcess> alive = new ConcurrentSkipListMap<>();
  private final BlockingQueue<WorkerProcess> ended = new LinkedBlockingQueue<>();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final List<String> lost = new ArrayList<>();
  private int trainersDone;

  private LocalWorld(Display display) {
    this.display = display;
  }

  /// Runs the workers that `options` asks for and gives the exit code.
  static int run(WorkerOptions options, Display display) throws InterruptedException {
    return run(options.worldSize(), rank -> command(options.with(Setting.RANK, rank)), display);
  }

  /// Runs the command of each rank from 0 to `worldSize - 1` and gives the exit code.
  public static int run(int worldSize, IntFunction<List<String>> command, Display display)
      throws InterruptedException {
    LocalWorld world = new LocalWorld(display);
    Thread hook = new Thread(world::stop);
    Runtime.getRuntime().addShutdownHook(hook);
    for (int rank = 0; rank < worldSize; rank++) {
      world.start(rank, command.apply(rank));
    }
    return world.supervise();
  }

  private static List<String> command(WorkerOptions options) {
    Class<?> program =
        options.rank().orElseThrow() == 0 ? ParameterServerMain.class : TrainerMain.class;
    return Jvm.current()
        .command(
            List.of(ProgressEvents.FLAG),
            program.getName(),
            List.of("-conf", options.toJson().encode()));
  }

  private void start(int rank, List<String> command) {
    try {
      WorkerProcess worker = WorkerProcess.start(rank, Role.nameOf(rank), command, display);
      alive.put(rank, worker);
      Thread.startVirtualThread(() -> ended.add(worker.end().join()));
    } catch (IOException e) {
      stop();
      throw new UncheckedIOException(Role.nameOf(rank) + " did not start: " + e.getMessage(), e);
    }
  }

  private int supervise() throws InterruptedException {
    while (!alive.isEmpty()) {
      WorkerProcess worker = ended.take();
      alive.remove(worker.rank());
      if (!worker.hasFailed()) {
        trainersDone += worker.rank() == 0 ? 0 : 1;
      } else if (isStopping()) {
        return Failure.INTERRUPTED;
      } else if (!survives(worker)) {
        return Failure.FAILED;
      }
    }
    if (!lost.isEmpty()) {
      display.warn("warning: finished without " + String.join(", ", lost));
    }
    return 0;
  }

  /// Ctrl-C reaches the workers as well as this JVM, and perhaps first.
  private boolean isStopping() throws InterruptedException {
    return stopping.await(SIGNAL_DELAY.toMillis(), TimeUnit.MILLISECONDS);
  }

  /// Whether the world goes on without this worker.
  private boolean survives(WorkerProcess worker) {
    boolean isServer = worker.rank() == 0;
    boolean trainersLeft = trainersDone + alive.size() - (alive.containsKey(0) ? 1 : 0) > 0;
    worker.dropShare();
    if (!isServer && trainersLeft) {
      lost.add(worker.name());
      display.warn(
          "warning: %s is lost (%s); the others go on".formatted(worker.name(), worker.manner()));
      return true;
    }
    if (!worker.hasSpoken()) {
      display.warn("error: %s is lost (%s)".formatted(worker.name(), worker.manner()));
    }
    if (isServer) {
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
