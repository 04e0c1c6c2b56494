// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/// Connected workers named worker0, worker1, …, for tests.
public final class World implements AutoCloseable {
  /// For what should take no time.
  public static final Duration PATIENCE = Duration.ofMinutes(1);

  /// More than tests wait: a call that only its time-out ends is a failure.
  public static final Duration CALL_TIME = PATIENCE.multipliedBy(2);

  /// How long a worker of a test may be silent: who is missed before [#PATIENCE] is over was
  /// heard to die.
  public static final Duration SILENCE = PATIENCE.multipliedBy(10);

  private final List<Rpc> workers = new ArrayList<>();
  private final List<Host> hosts;

  /// Where workers can be opened.
  public interface Host {
    /// Opens a worker there, as [Rpc#open] does.
    Future<Rpc> open(String name, RpcOptions options);

    /// A Vertx of this JVM.
    static Host on(Vertx vertx) {
      return (name, options) -> Rpc.open(vertx, name, options);
    }

    /// The same, where every tensor counts as large, so that none is in a message.
    static Host ofLargeTensors(Vertx vertx) {
      return (name, options) -> Rpc.open(vertx, name, options.withLaneThreshold(0));
    }
  }

  /// Opens a world of as many workers as there are hosts given; a host may be there twice.
  public World(List<Vertx> hosts) {
    this(PATIENCE, hosts.stream().map(Host::on).toList());
  }

  /// The same, whose calls have this time unless they say otherwise.
  public World(Duration timeout, List<Host> hosts) {
    this.hosts = hosts;
    List<Future<Rpc>> opened = new ArrayList<>();
    for (int rank = 0; rank < hosts.size(); rank++) {
      RpcOptions options = options(rank, hosts.size()).withTimeout(timeout);
      opened.add(hosts.get(rank).open("worker" + rank, options));
    }
    opened.forEach(rpc -> workers.add(rpc.await()));
    workers.forEach(rpc -> rpc.ready().await());
  }

  /// Hosts that Hazelcast joins over loopback.
  public static List<Vertx> cluster(int size) {
    int port = FreePort.find();
    return IntStream.range(0, size).mapToObj(rank -> meetingAt(port, rank == 0).start()).toList();
  }

  /// The cluster of a test, whose workers are not taken for dead because the machine is busy.
  public static Cluster meetingAt(int port, boolean isMaster) {
    return new Cluster("127.0.0.1", port, isMaster, PATIENCE).withHeartbeatTimeout(SILENCE);
  }

  private static RpcOptions options(int rank, int size) {
    return RpcOptions.worldSize(size)
        .withRank(rank)
        .withTimeout(CALL_TIME)
        .withRendezvousTimeout(PATIENCE)
        .withHeartbeatTimeout(SILENCE);
  }

  public Rpc worker(int rank) {
    return workers.get(rank);
  }

  /// One more worker on the last host.
  Rpc join(String name, int rank, int size) {
    return hosts.getLast().open(name, options(rank, size)).await();
  }

  /// Runs `body` on a virtual thread of its own.
  public <T> Future<T> onVirtualThread(Callable<T> body) {
    Promise<T> promise = Promise.promise();
    Thread.ofVirtual().start(() -> complete(promise, body));
    return promise.future();
  }

  private static <T> void complete(Promise<T> promise, Callable<T> body) {
    T result;
    try {
      result = body.call();
    } catch (Exception | Error e) {
      promise.fail(e);
      return;
    }
    promise.complete(result);
  }

  <T> Future<T> onEventLoop(Callable<T> body) {
    Vertx vertx = Vertx.vertx();
    Promise<T> promise = Promise.promise();
    vertx.runOnContext(ignored -> complete(promise, body));
    return promise.future().eventually(vertx::close);
  }

  /// Waits for what other threads bring about.
  public static void eventually(BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("came about within " + PATIENCE).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /// Waits for what collections of garbage bring about. There is one a second: a JVM stands still
  /// meanwhile, and one collection after another would let no thread do what is waited for.
  public static void eventuallyCollected(BooleanSupplier condition) {
    AtomicLong next = new AtomicLong(System.nanoTime());
    eventually(
        () -> {
          if (System.nanoTime() - next.get() >= 0) {
            System.gc();
            next.set(System.nanoTime() + Duration.ofSeconds(1).toNanos());
          }
          return condition.getAsBoolean();
        });
  }

  /// Waits until no more than so many bytes of the heap are used. One collection may leave garbage.
  public static void awaitHeap(long bytes) {
    eventuallyCollected(() -> usedNow() <= bytes);
  }

  /// The bytes of the heap that are used after a collection.
  public static long usedHeap() {
    System.gc();
    return usedNow();
  }

  private static long usedNow() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /// Waits for what must not take the time of a call.
  public static <T> T await(Future<T> future) {
    try {
      return future.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError("it did not come about within " + PATIENCE, e);
    }
  }

  static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Lets all workers leave; the hosts stay.
  @Override
  public void close() {
    Future.join(workers.stream().map(Rpc::leave).toList()).await();
  }
}
