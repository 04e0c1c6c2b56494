// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.testing.MemoryCluster;
import dev.tensorbus.verticles.progress.Display;
import dev.tensorbus.verticles.progress.RecordedDisplay;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// The workers of a program, each on a Vertx of its own in this JVM, and what they say.
public final class TestWorld implements AutoCloseable {
  /// How long a worker of a test may be silent: who is missed before a test gives up was heard to
  /// die. A machine that stalls evicts nobody.
  public static final Duration SILENCE = Duration.ofMinutes(10);

  private static final int PATIENCE_SECONDS = 60;

  private final MemoryCluster cluster = new MemoryCluster();
  private final List<Vertx> hosts = new ArrayList<>();
  private final List<RpcWorker> workers = new ArrayList<>();
  private final Said said;
  private final Program program;
  private final WorkerOptions options;
  private final Display display;

  private TestWorld(Program program, WorkerOptions options, long mostSteps) {
    this.said = new Said(mostSteps);
    this.program = program;
    this.options = options;
    this.display = new RecordedDisplay(said, options);
  }

  /// Starts all workers of a program.
  ///
  /// @param given its settings, the world size among them
  public static TestWorld start(Program program, JsonObject given) {
    return start(program, given, Long.MAX_VALUE);
  }

  /// Starts all workers of a program. After a number of steps, each trainer that completes one
  /// waits until the world closes.
  ///
  /// @param mostSteps the number of steps of all trainers together
  public static TestWorld start(Program program, JsonObject given, long mostSteps) {
    WorkerOptions options =
        WorkerOptions.of(program.settings(), given)
            .with(Setting.HEARTBEAT_TIMEOUT, (int) SILENCE.toSeconds());
    TestWorld world = new TestWorld(program, options, mostSteps);
    for (int rank = 0; rank < world.options.worldSize(); rank++) {
      world.deploy(rank);
    }
    return world;
  }

  /// Starts a worker on a host of its own.
  private void deploy(int rank) {
    WorkerOptions ranked = options.with(Setting.RANK, rank);
    WorkerOptions own = rank == 0 ? ranked : ranked.without(GatewaySettings.PORT); // one is enough
    RpcWorker worker = program.binding(rank, own).worker(own, display);
    Vertx vertx = cluster.start();
    hosts.add(rank, vertx);
    workers.add(rank, worker);
    vertx.deployVerticle(worker).await();
  }

  /// Starts a worker that was killed again, by the same settings.
  public void restart(int rank) {
    hosts.remove(rank).close().otherwiseEmpty().await();
    workers.remove(rank);
    deploy(rank);
  }

  /// All lines that the workers have said so far.
  public List<String> said() {
    return said.lines();
  }

  /// Waits until somebody has said this.
  public void await(String text) throws InterruptedException {
    await(text, said.latch(text));
  }

  /// Waits until somebody says this again, or for the first time.
  public void awaitNext(String text) throws InterruptedException {
    await(text, said.next(text));
  }

  private void await(String text, CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .as("\"%s\" is said in %s", text, said())
        .isTrue();
  }

  /// Ends a worker without a goodbye.
  public void kill(int rank) {
    cluster.kill(hosts.get(rank)).await();
  }

  /// Done when this worker is.
  public Future<Void> finished(int rank) {
    return workers.get(rank).finished();
  }

  @Override
  public void close() {
    Future<?> closed = Future.join(hosts.stream().map(Vertx::close).toList()).otherwiseEmpty();
    said.closing.countDown();
    closed.await();
    display.close();
  }

  private static final class Said implements Display {
    private final List<String> lines = new ArrayList<>();
    private final Map<String, CountDownLatch> awaited = new HashMap<>();
    private final AtomicLong stepsLeft;
    private final CountDownLatch closing = new CountDownLatch(1);

    private Said(long mostSteps) {
      stepsLeft = new AtomicLong(mostSteps);
    }

    @Override
    public void start(long steps) {}

    @Override
    public void step(int samples, float loss) {
      say("loss " + loss);
      if (stepsLeft.decrementAndGet() <= 0) {
        try {
          closing.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt(); // its worker ends
        }
      }
    }

    @Override
    public synchronized void say(String line) {
      lines.add(line);
      awaited.forEach((text, latch) -> countDownIf(line.contains(text), latch));
    }

    @Override
    public void warn(String line) {
      say(line);
    }

    @Override
    public void close() {}

    private synchronized List<String> lines() {
      return List.copyOf(lines);
    }

    private synchronized CountDownLatch latch(String text) {
      CountDownLatch latch = awaited.computeIfAbsent(text, key -> new CountDownLatch(1));
      countDownIf(lines.stream().anyMatch(line -> line.contains(text)), latch);
      return latch;
    }

    private synchronized CountDownLatch next(String text) {
      CountDownLatch latch = new CountDownLatch(1);
      awaited.put(text, latch);
      return latch;
    }

    private static void countDownIf(boolean condition, CountDownLatch latch) {
      if (condition) {
        latch.countDown();
      }
    }
  }
}
