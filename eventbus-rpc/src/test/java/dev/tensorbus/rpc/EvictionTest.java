// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// G19: a worker whose world goes on without it. Worker 1 is cut off from the others.
@Isolated("it waits for a line that other worlds may log")
@Tag("slow")
class EvictionTest {
  private static final Duration SILENCE = Duration.ofSeconds(5);

  private final MemoryWorld world = new MemoryWorld(3, options -> impatient(1, options));
  private final Rpc evicted = world.worker(1);

  /// Only one worker does not wait for those that a busy machine keeps silent.
  private static RpcOptions impatient(int rank, RpcOptions options) {
    return options.rank() == rank ? options.withHeartbeatTimeout(SILENCE) : options;
  }

  @AfterEach
  void closeWorld() {
    world.close();
  }

  /// Cuts worker 1 off while it waits for the others.
  private void evict() {
    for (String other : List.of("worker0", "worker2")) {
      Future<Void> _ = evicted.rpcAsync(other, Probe::block);
      world.network().suffer(Fault.cut("worker1", other));
    }
  }

  private static void requireEvicted(ThrowingCallable operation) {
    assertThatThrownBy(operation)
        .isInstanceOf(EvictedException.class)
        .hasMessage(
            "worker1 was evicted from its world: it was silent for the heartbeat timeout of 5 s,"
                + " and the others continue without it; restart it");
  }

  @Test
  void everythingThatAnEvictedWorkerAsksOfItsWorldFailsInOneWay() {
    RRef<Tensor> kept = evicted.remote("worker0", Probe::zeros);
    kept.created().await();
    RRef<Tensor> own = evicted.rref(Tensor.of(1));
    evict();
    World.eventually(() -> evicted.ready().failed());
    for (ThrowingCallable operation :
        List.<ThrowingCallable>of(
            () -> evicted.rpcSync("worker0", Probe::where),
            () -> evicted.rpcAsync("worker0", Probe::where).await(),
            () -> evicted.rpcSync("worker2", Probe::where),
            () -> evicted.rpcSync("worker1", Probe::where),
            () -> evicted.rpcSync("nobody", Probe::where),
            () -> evicted.remote("worker0", Probe::zeros),
            kept::toHere,
            () -> kept.rpcSync(Tensor::neg),
            () -> evicted.rpcSync("worker0", Probe::fetch, own),
            () -> evicted.barrierAsync().await(),
            () -> evicted.barrierAsync(List.of("worker0", "worker1")).await(),
            () -> evicted.allGatherAsync(1).await(),
            () -> evicted.ready().await(),
            () -> evicted.worker("worker0"),
            () -> evicted.worker(0),
            () -> evicted.awaitWorker("worker2", World.PATIENCE).await(),
            () -> evicted.shutdown().await())) {
      requireEvicted(operation);
    }
  }

  @Test
  void aShutdownThatWaitsFailsInThatWay() {
    Future<Void> shutdown = evicted.shutdown();
    evict();
    requireEvicted(shutdown::await);
  }

  /// The worker that it loses first is lost alone, if both do not fall silent in one tick.
  @Test
  void aCallThatWaitsFailsInThatWayToo() {
    List<Future<Void>> blocked =
        List.of(
            evicted.rpcAsync("worker0", Probe::block), evicted.rpcAsync("worker2", Probe::block));
    evict();
    World.eventually(() -> blocked.stream().allMatch(Future::failed));
    assertThat(blocked)
        .extracting(Future::cause)
        .hasAtLeastOneElementOfType(EvictedException.class)
        .hasOnlyElementsOfTypes(EvictedException.class, NoSuchWorkerException.class);
    World.eventually(() -> evicted.debugInfo().get("rpc.pending_calls") == 0);
  }

  @Test
  void whoIsCutOffFromMostOfItsWorldIsEvictedAndTheOthersGoOn() {
    evict();
    World.eventually(() -> evicted.ready().failed());
    assertThat(world.worker(0).rpcSync("worker2", Probe::where)).isEqualTo("worker2 for worker0");
  }

  @Test
  void theLastWorkerWhoseOthersHaveDiedIsNotEvicted() {
    world.kill(0);
    world.kill(2);
    World.eventually(() -> evicted.workers().size() == 1);
    evicted.ready().await();
    evicted.shutdown().await();
  }

  /// Only messages of worker 1 are lost, so that it hears the other all the time.
  @Test
  void ofTwoWorkersTheOneThatTheOtherHasRemovedIsEvicted() {
    try (MemoryWorld pair = new MemoryWorld(2, options -> options.withHeartbeatTimeout(SILENCE))) {
      Future<Void> blocked = pair.worker(0).rpcAsync("worker1", Probe::block);
      pair.worker(0).rpcSync("worker1", Probe::awaitBlocked);
      pair.network().suffer(Fault.drop(1).from("worker1"));
      assertThatThrownBy(blocked::await).isInstanceOf(NoSuchWorkerException.class);
      World.eventually(() -> pair.worker(1).ready().failed());
      assertThatThrownBy(() -> pair.worker(1).rpcSync("worker0", Probe::where))
          .isInstanceOf(EvictedException.class)
          .hasMessageStartingWith("worker1 was evicted from its world: it was silent");
      assertThat(pair.worker(0).ready().succeeded()).isTrue();
    }
  }

  /// There is no moment in which it knows that it is evicted and yet calls others.
  @Test
  void noCallLeavesOnceItSaysThatItWasEvicted() {
    Promise<Future<String>> called = Promise.promise();
    Logger logger = Logger.getLogger(Rpc.class.getPackageName());
    Handler whenItSaysSo = new Whenever("worker1 was evicted", () -> called.complete(call()));
    logger.addHandler(whenItSaysSo);
    try {
      evict();
      assertThatThrownBy(World.await(called.future())::await)
          .isInstanceOfSatisfying(
              EvictedException.class, error -> assertThat(error.mayHaveRun()).isFalse());
    } finally {
      logger.removeHandler(whenItSaysSo);
    }
  }

  @Test
  void theLogSaysHowAWorkerWasLost() {
    Promise<Void> logged = Promise.promise();
    Logger logger = Logger.getLogger(Rpc.class.getPackageName());
    String line = "worker1 lost worker0, rank 0, which was silent for the heartbeat timeout";
    Handler whenItSaysSo = new Whenever(line, logged::tryComplete);
    logger.addHandler(whenItSaysSo);
    Level before = logger.getLevel();
    logger.setLevel(Level.WARNING);
    try {
      Future<Void> _ = world.worker(0).rpcAsync("worker1", Probe::block);
      world.worker(0).rpcSync("worker1", Probe::awaitBlocked);
      world.network().suffer(Fault.cut("worker1", "worker0"));
      World.await(logged.future());
    } finally {
      logger.setLevel(before);
      logger.removeHandler(whenItSaysSo);
    }
  }

  private Future<String> call() {
    try {
      return evicted.rpcAsync("worker0", Probe::where);
    } catch (EvictedException e) {
      return Future.failedFuture(e);
    }
  }

  /// Does something on the thread that logs a message.
  private static final class Whenever extends Handler {
    private final String beginning;
    private final Runnable action;

    Whenever(String beginning, Runnable action) {
      this.beginning = beginning;
      this.action = action;
    }

    @Override
    public void publish(LogRecord line) {
      if (new SimpleFormatter().formatMessage(line).startsWith(beginning)) {
        action.run();
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
