// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.rpc.testing.Fault;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// G10: nobody leaves too early, and everyone leaves.
class ShutdownTest {
  @Test
  void aShutdownWithALimitNamesWhoIsNotAtItsEnd() {
    try (MemoryWorld world = new MemoryWorld(3)) {
      Future<Void> first = world.worker(0).shutdown(World.PATIENCE);
      Future<Void> second = world.worker(1).shutdown(Duration.ofSeconds(2));
      assertThatThrownBy(second::await)
          .isInstanceOf(RpcTimeoutException.class)
          .hasMessage("shutdown: not done within PT2S: worker2");
      Future.all(first, world.worker(2).shutdown()).await();
    }
  }

  @Test
  void aShutdownWithALimitTellsOfItsOwnUnansweredCalls() {
    try (MemoryWorld world = new MemoryWorld(2)) {
      Future<Void> blocked = world.worker(0).rpcAsync("worker1", Probe::block);
      assertThatThrownBy(() -> world.worker(0).shutdown(Duration.ofMillis(100)).await())
          .hasMessage("shutdown: 1 unanswered calls of worker0 within PT0.1S");
      assertThatThrownBy(blocked::await).isInstanceOf(NoSuchWorkerException.class);
    }
  }

  @Test
  void aShutdownEndsThoughMessagesAreLost() {
    try (MemoryWorld world = new MemoryWorld(3)) {
      world.network().suffer(Fault.drop(0.3));
      Future.all(world.worker(0).shutdown(), world.worker(1).shutdown(), world.worker(2).shutdown())
          .await();
    }
  }

  @Test
  void aShutdownEndsWithoutTheCoordinatorThatDies() {
    try (MemoryWorld world = new MemoryWorld(3)) {
      Future<Void> second = world.worker(1).shutdown();
      world.kill(0);
      Future.all(second, world.worker(2).shutdown()).await();
    }
  }

  /// Otherwise a worker could end without an error before it is told of a loss.
  @Test
  void aShutdownEndsAfterTheListenersOfADeparture() {
    try (MemoryWorld world = new MemoryWorld(2)) {
      Rpc survivor = world.worker(1);
      CountDownLatch ended = new CountDownLatch(1);
      AtomicBoolean endedBefore = new AtomicBoolean(true);
      CountDownLatch told = new CountDownLatch(1);
      survivor.onWorkerLost(
          lost -> {
            survivor.shutdown().onComplete(done -> ended.countDown());
            endedBefore.set(isReached(ended, Duration.ofMillis(300)));
            told.countDown();
          });
      Future<Void> left = world.worker(0).leave();
      World.await(told);
      assertThat(endedBefore).isFalse();
      World.await(ended);
      World.await(left);
    }
  }

  /// Does not park: the departure of a caller interrupts its calls, of which the goodbye is one.
  private static boolean isReached(CountDownLatch latch, Duration limit) {
    long start = System.nanoTime();
    while (latch.getCount() > 0 && System.nanoTime() - start < limit.toNanos()) {
      Thread.onSpinWait();
    }
    return latch.getCount() == 0;
  }

  @Test
  void aShutdownEndsThoughTheAnswerAndTheGoodbyeOfTheFirstAreLost() {
    try (MemoryWorld world = new MemoryWorld(2)) {
      world.network().suffer(Fault.drop(1).from("worker0"));
      Future<Void> second = world.worker(1).shutdown();
      world.worker(0).shutdown().await();
      second.await();
    }
  }

  @Test
  void openReferencesAreReportedWithTheirPlace() {
    try (MemoryWorld world = new MemoryWorld(2, options -> options.withLeakCheck(LeakCheck.FAIL))) {
      RRef<Probe> open = world.worker(0).remote("worker1", Probe::new, 1);
      world.worker(0).remote("worker1", Probe::new, 2).close();
      assertThat(open.rpcSync(Probe::plus, 1)).isEqualTo(2);
      Future<Void> first = world.worker(0).shutdown();
      world.worker(1).shutdown().await();
      assertThatThrownBy(first::await)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("worker0 ends with 1 references open; close each")
          .hasMessageContaining(" owned by worker1, created ");
      assertThatThrownBy(open::toHere).hasMessageContaining("has left the world");
    }
  }

  /// Its owner has left when worker1 hears that all is done.
  @Test
  void anOpenReferenceIsReportedThoughItsOwnerLeavesFirst() {
    try (MemoryWorld world = new MemoryWorld(2, options -> options.withLeakCheck(LeakCheck.FAIL))) {
      RRef<Probe> open = world.worker(1).remote("worker0", Probe::new, 1);
      assertThat(open.rpcSync(Probe::plus, 1)).isEqualTo(2);
      world
          .network()
          .suffer(Fault.delay(1, Duration.ofMillis(500)).ofKind("response").from("worker0"));
      Future<Void> second = world.worker(1).shutdown();
      world.worker(0).shutdown().await();
      assertThatThrownBy(second::await)
          .hasMessageStartingWith("worker1 ends with 1 references open; close each");
      assertThatThrownBy(open::toHere).hasMessageContaining("has left the world");
    }
  }
}
