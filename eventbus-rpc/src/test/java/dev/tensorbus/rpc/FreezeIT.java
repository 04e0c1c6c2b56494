// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tensorbus.rpc.testing.ForkedJvm;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// G19: worker1, a process of its own, is frozen for longer than the heartbeat time-out, or not.
@Tag("long")
class FreezeIT {
  private static final Duration SILENCE = Cluster.DEFAULT_HEARTBEAT_TIMEOUT;
  private static final int EVICTED = 7;

  private final int port = World.freePort();
  private final Vertx here = meeting(port, true);
  private ForkedJvm frozen;
  private Rpc first;

  private static Vertx meeting(int port, boolean isMaster) {
    return World.meetingAt(port, isMaster).withHeartbeatTimeout(SILENCE).start();
  }

  private static Rpc join(Vertx vertx, int rank) {
    RpcOptions options =
        RpcOptions.worldSize(2)
            .withRank(rank)
            .withTimeout(World.CALL_TIME)
            .withRendezvousTimeout(World.PATIENCE)
            .withHeartbeatTimeout(SILENCE);
    return Rpc.init(vertx, "worker" + rank, options);
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
        Rpc rpc = join(meeting(Integer.parseInt(arguments[0]), false), 1);
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
      rpc.barrier().await();
      if (habit == Habit.CALLS) {
        rpc.with(CallOptions.DEFAULT.withoutTimeout()).rpcSync("worker0", Probe::block);
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

  private void start(Habit habit) {
    frozen = ForkedJvm.start(Frozen.class, Integer.toString(port), habit.name());
    first = join(here, 0);
    first.barrier().await();
  }

  @AfterEach
  void closeWorld() {
    frozen.close();
    first.leave().await();
    here.close().await();
  }

  @ParameterizedTest
  @EnumSource
  void whoeverWasEvictedWhileItWasFrozenIsToldSo(Habit habit) {
    start(habit);
    frozen.freeze();
    World.eventually(
        () ->
            ((VertxInternal) here).clusterManager().getNodes().size() == 1
                && first.workers().size() == 1);
    frozen.thaw();
    assertThat(frozen.awaitExit()).isEqualTo(EVICTED);
  }

  @Test
  void whoIsFrozenForLessThanTheTimeoutLives() throws InterruptedException {
    start(Habit.CALLS);
    first.rpcSync("worker0", Probe::awaitBlocked);
    List<WorkerInfo> lost = new CopyOnWriteArrayList<>();
    first.onWorkerLost(lost::add);
    for (int time = 0; time < 3; time++) {
      long start = System.nanoTime();
      frozen.freeze();
      Future<String> call = first.rpcAsync("worker1", Probe::where);
      Thread.sleep(3600);
      frozen.thaw();
      assumeThat(Duration.ofNanos(System.nanoTime() - start))
          .as("this machine froze it for too long")
          .isLessThan(Duration.ofMillis(3800));
      assertThat(call.await()).isEqualTo("worker1 for worker0");
    }
    assertThat(lost).isEmpty();
    first.rpcSync("worker0", Probe::unblock);
    first.shutdown().await();
    assertThat(frozen.awaitExit()).isZero();
  }
}
