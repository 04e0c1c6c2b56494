// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.testing.ForkedJvm;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// G19: a worker, a process of its own, is frozen for longer than the heartbeat time-out, or not.
@Tag("long")
class FreezeIT {
  private static final Duration SILENCE = Duration.ofSeconds(10);
  private static final int EVICTED = 7;

  /// Within this time a worker that lives has sent a heartbeat.
  private static final Duration HEARTBEAT = Duration.ofMillis(1200);

  /// The silence may have begun a heartbeat before a worker is frozen.
  private static final Duration LONGEST = SILENCE.minus(HEARTBEAT);

  private static final int TIMES = 3;

  private final int port = FreePort.find();
  private final List<Vertx> hosts = new ArrayList<>();
  private List<Rpc> others = List.of();
  private ForkedJvm frozen;

  private static Vertx meeting(int port, boolean isMaster) {
    return World.meetingAt(port, isMaster).withHeartbeatTimeout(SILENCE).start();
  }

  private static Future<Rpc> open(Vertx vertx, int rank, int size) {
    RpcOptions options =
        RpcOptions.worldSize(size)
            .withRank(rank)
            .withTimeout(World.CALL_TIME)
            .withRendezvousTimeout(World.PATIENCE)
            .withHeartbeatTimeout(SILENCE);
    return Rpc.open(vertx, "worker" + rank, options);
  }

  /// The work of the frozen worker.
  enum Habit {
    /// It waits for an answer.
    CALLS,
    /// It waits for the end of the world.
    WAITS_TO_SHUT_DOWN,
    /// It shuts down when it wakes up, before it can have heard of anything.
    SHUTS_DOWN_WHEN_IT_WAKES
  }

  /// The frozen worker's own program. Ends with 7 if it was told that it was evicted.
  static final class Frozen {
    private Frozen() {}

    public static void main(String[] arguments) {
      try {
        int rank = Integer.parseInt(arguments[2]);
        Vertx vertx = meeting(Integer.parseInt(arguments[0]), rank == 0);
        Rpc rpc = open(vertx, rank, Integer.parseInt(arguments[3])).await();
        rpc.ready().await();
        live(rpc, Habit.valueOf(arguments[1]));
        Runtime.getRuntime().halt(0);
      } catch (EvictedException e) {
        Runtime.getRuntime().halt(EVICTED);
      } catch (RuntimeException | InterruptedException e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
    }

    private static void live(Rpc rpc, Habit habit) throws InterruptedException {
      CountDownLatch woken = new CountDownLatch(1);
      Thread.ofPlatform().daemon().start(() -> countDownWhenItWakes(woken)); // before it is frozen
      rpc.barrier();
      if (habit == Habit.CALLS) {
        String other = "worker" + (rpc.self().id() == 0 ? 1 : 0);
        rpc.with(CallOptions.DEFAULT.withoutTimeout()).rpcSync(other, Probe::block);
      } else if (habit == Habit.SHUTS_DOWN_WHEN_IT_WAKES) {
        woken.await();
      }
      rpc.shutdown().await();
    }

    /// Counts down after a gap of half the heartbeat time-out. Worker0 counts the silence from the
    /// last message that it received, so the process is frozen for less than the whole time-out.
    private static void countDownWhenItWakes(CountDownLatch woken) {
      long last = System.nanoTime();
      while (System.nanoTime() - last < SILENCE.toNanos() / 2) {
        last = System.nanoTime();
        LockSupport.parkNanos(1_000_000);
      }
      woken.countDown();
    }
  }

  /// The others live here.
  private void start(Habit habit, int rank, int size) {
    frozen =
        ForkedJvm.start(
            Frozen.class,
            Integer.toString(port),
            habit.name(),
            Integer.toString(rank),
            Integer.toString(size));
    List<Future<Rpc>> opened = new ArrayList<>();
    for (int other = 0; other < size; other++) {
      if (other != rank) {
        hosts.add(meeting(port, other == 0));
        opened.add(open(hosts.getLast(), other, size));
      }
    }
    others = opened.stream().map(rpc -> rpc.await()).toList();
    others.forEach(rpc -> rpc.ready().await());
    Future.all(others.stream().map(Rpc::barrierAsync).toList()).await();
  }

  @AfterEach
  void closeWorld() {
    frozen.close();
    Future.join(others.stream().map(Rpc::leave).toList()).await();
    Future.join(hosts.stream().map(Vertx::close).toList()).await();
  }

  @ParameterizedTest
  @EnumSource
  void whoeverWasEvictedWhileItWasFrozenIsToldSo(Habit habit) {
    freezeUntilEvicted(habit, 1, 2);
  }

  @ParameterizedTest
  @EnumSource
  void rankZeroIsToldSoToo(Habit habit) {
    freezeUntilEvicted(habit, 0, 3);
    assertThat(others.getFirst().rpcSync("worker2", Probe::where)).isEqualTo("worker2 for worker1");
  }

  private void freezeUntilEvicted(Habit habit, int rank, int size) {
    start(habit, rank, size);
    frozen.freeze();
    for (Vertx host : hosts) {
      World.eventually(
          () -> ((VertxInternal) host).clusterManager().getNodes().size() == hosts.size());
    }
    for (Rpc other : others) {
      World.eventually(() -> other.workers().size() == others.size());
    }
    frozen.thaw();
    assertThat(frozen.awaitExit()).isEqualTo(EVICTED);
  }

  @Test
  void whoIsFrozenForLessThanTheTimeoutLives() throws InterruptedException {
    start(Habit.CALLS, 1, 2);
    Rpc first = others.getFirst();
    first.rpcSync("worker0", Probe::awaitBlocked);
    List<WorkerInfo> lost = new CopyOnWriteArrayList<>();
    first.onWorkerLost(lost::add);
    int times = 0;
    while (times < TIMES && freezeForLessThanTheTimeout()) {
      assertThat(lost).isEmpty();
      times++;
    }
    assertThat(times).as("how often this machine froze it for as long as it should").isPositive();
    if (times == TIMES) {
      first.rpcSync("worker0", Probe::unblock);
      first.shutdown().await();
      assertThat(frozen.awaitExit()).isZero();
    }
  }

  /// Whether this machine was fast enough to thaw it in time.
  private boolean freezeForLessThanTheTimeout() throws InterruptedException {
    long start = System.nanoTime();
    frozen.freeze();
    Future<String> call = others.getFirst().rpcAsync("worker1", Probe::where);
    pass(Duration.ofMillis(3600));
    frozen.thaw();
    if (System.nanoTime() - start > LONGEST.toNanos()) {
      return false;
    }
    assertThat(call.await()).isEqualTo("worker1 for worker0");
    // Two freezes without a heartbeat between them would be one silence.
    pass(HEARTBEAT);
    return true;
  }

  private static void pass(Duration time) throws InterruptedException {
    boolean _ = new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
  }
}
