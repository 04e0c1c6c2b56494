// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.thread.Threads;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// A world in one JVM, for tests: workers `worker0`, `worker1` and so on, each on its own node of a
/// [MemoryCluster], over a [FaultyNetwork]. It starts in a fraction of a second.
///
/// ```java
/// try (var world = new MemoryWorld(3)) {
///   Tensor y = world.worker(0).rpcSync("worker1", Server::square, x);
///   world.kill(2);
///   …
/// }
/// ```
///
/// With JUnit 5, [WithWorkers] opens and closes a world for each test. A worker that is silent is
/// not considered dead for ten minutes, so that a test can be debugged; one that is killed is
/// missed at once.
public final class MemoryWorld implements AutoCloseable {
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofMinutes(10);

  private final MemoryCluster cluster = new MemoryCluster();
  private final FaultyNetwork network;
  private final List<Vertx> nodes;
  private final List<Rpc> workers = new ArrayList<>();
  private final List<ReportedSteps> steps = new ArrayList<>();

  /// Opens a world and waits until its workers are ready. Calls time out after two minutes.
  public MemoryWorld(int size) {
    this(size, UnaryOperator.identity());
  }

  /// Opens a world and waits until its workers are ready.
  ///
  /// @param options changes the options of each worker
  public MemoryWorld(int size, UnaryOperator<RpcOptions> options) {
    this(size, options, 1);
  }

  /// @param seed the seed of the network
  MemoryWorld(int size, UnaryOperator<RpcOptions> options, long seed) {
    network = new FaultyNetwork(seed);
    nodes = new ArrayList<>(Stream.generate(cluster::start).limit(size).toList());
    try {
      for (int rank = 0; rank < size; rank++) {
        network.attach("worker" + rank, nodes.get(rank));
        steps.add(new ReportedSteps());
        workers.add(open(rank, options.apply(patient(RpcOptions.worldSize(size)).withRank(rank))));
      }
      workers.forEach(worker -> worker.ready().await());
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private static RpcOptions patient(RpcOptions options) {
    return options.withTimeout(CALL_TIMEOUT).withHeartbeatTimeout(HEARTBEAT_TIMEOUT);
  }

  private Rpc open(int rank, RpcOptions options) {
    Rpc worker = Rpc.open(nodes.get(rank), "worker" + rank, options).await();
    worker.onProgress(steps.get(rank));
    return worker;
  }

  /// Returns the worker with this rank.
  public Rpc worker(int rank) {
    return workers.get(rank);
  }

  /// Returns the network between the workers, which has no faults at first.
  public FaultyNetwork network() {
    return network;
  }

  /// Runs a worker's part of a program on its own thread, and returns a future of its result.
  public <R> Future<R> submit(int rank, Function<? super Rpc, R> part) {
    Rpc worker = worker(rank);
    return Threads.system().call("worker" + rank, () -> part.apply(worker));
  }

  /// Waits until a worker has reported this many steps to [Rpc#progress], those of the worker that
  /// it has replaced included.
  ///
  /// @throws IllegalStateException if it does not report them within two minutes
  public void awaitSteps(int rank, int count) throws InterruptedException {
    steps.get(rank).await("worker" + rank, count);
  }

  /// Kills a worker: the others are notified immediately, and its connections close. Its threads
  /// keep running, but reach nobody: its pending calls and all further ones fail. Blocks.
  public void kill(int rank) {
    cluster.expel(nodes.get(rank));
    workers.get(rank).leave().otherwiseEmpty().await(); // ends its calls
    nodes.get(rank).close().await();
  }

  /// Starts a worker on a new node, in place of one that was killed or has left.
  ///
  /// @param options its options, such as `RpcOptions.dynamic(rank)` for a world of dynamic workers
  public Rpc replace(int rank, RpcOptions options) {
    nodes.set(rank, cluster.start());
    workers.set(rank, open(rank, patient(options)));
    return workers.get(rank);
  }

  /// Removes all faults of the network, makes all workers leave and stops their nodes. Blocks.
  @Override
  public void close() {
    network.close();
    Future.join(workers.stream().map(Rpc::leave).toList()).otherwiseEmpty().await();
    Future.join(nodes.stream().map(Vertx::close).toList()).otherwiseEmpty().await();
  }

  /// Counts the steps that a worker reports.
  private static final class ReportedSteps implements Progress {
    private final Semaphore permits = new Semaphore(0);

    @Override
    public void start(long steps) {}

    @Override
    public void step(int samples, float loss) {
      permits.release();
    }

    void await(String worker, int count) throws InterruptedException {
      if (!permits.tryAcquire(count, CALL_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IllegalStateException(
            "%s reported %d steps in %d s; expected %d; its program must call rpc.progress().step"
                .formatted(worker, permits.availablePermits(), CALL_TIMEOUT.toSeconds(), count));
      }
      permits.release(count);
    }
  }
}
