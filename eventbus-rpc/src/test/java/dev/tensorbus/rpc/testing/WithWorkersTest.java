// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.WorkerInfo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@WithWorkers(2)
final class WithWorkersTest {
  private static final CountDownLatch ARRIVED = new CountDownLatch(1);

  private MemoryWorld before;

  @Remote
  static Tensor square(Tensor x) {
    return x.mul(x);
  }

  @BeforeEach
  void remember(MemoryWorld world) {
    before = world;
  }

  @AfterEach
  void isTheSame(MemoryWorld world) {
    assertThat(world).isSameAs(before);
  }

  @Test
  void aTestHasItsWorld(MemoryWorld world) {
    assertThat(world).isSameAs(before);
    assertThat(world.worker(0).workers())
        .extracting(WorkerInfo::name)
        .containsExactly("worker0", "worker1");
    assertThat(world.worker(1).vertx()).isNotSameAs(world.worker(0).vertx());
    Tensor y = world.worker(1).rpcSync("worker0", WithWorkersTest::square, Tensor.of(3));
    assertThat(y.item()).isEqualTo(9);
  }

  @Test
  @WithWorkers(3)
  void aMethodMayAskForMoreWorkers(MemoryWorld world) {
    assertThat(world.worker(2).workers()).hasSize(3);
    world.kill(2);
    assertThatThrownBy(
            () -> world.worker(0).rpcSync("worker2", WithWorkersTest::square, Tensor.of(3)))
        .isInstanceOf(RpcException.class);
  }

  @Remote
  static Future<Tensor> never(Tensor x) {
    ARRIVED.countDown();
    return Promise.<Tensor>promise().future();
  }

  @Test
  void theCallsOfAKilledWorkerEndAtOnce(MemoryWorld world) throws InterruptedException {
    Future<Tensor> pending =
        world.worker(1).rpcAsync("worker0", WithWorkersTest::never, Tensor.of(3));
    ARRIVED.await();
    world.kill(1);
    assertThatThrownBy(() -> pending.await(1, TimeUnit.MINUTES)).isInstanceOf(RpcException.class);
    assertThatThrownBy(
            () -> world.worker(1).rpcSync("worker0", WithWorkersTest::square, Tensor.of(3)))
        .hasMessageContaining("worker1 has left the world");
  }

  /// Each part waits for the other.
  @Test
  void theWorkersPartsOfAProgramRunAtTheSameTime(MemoryWorld world) throws InterruptedException {
    CyclicBarrier both = new CyclicBarrier(2);
    Function<Rpc, Integer> part =
        rpc -> {
          try {
            rpc.progress().step(1, 0.5f);
            both.await(1, TimeUnit.MINUTES);
            rpc.progress().step(1, 0.25f);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
          return rpc.self().id();
        };
    Future<Integer> first = world.submit(0, part);
    Future<Integer> second = world.submit(1, part);
    world.awaitSteps(1, 2);
    world.awaitSteps(1, 1);
    assertThat(List.of(first.await(), second.await())).containsExactly(0, 1);
  }

  @Nested
  final class Inside {
    @Test
    void aNestedClassHasTheWorkersOfTheOuterOne(MemoryWorld world) {
      assertThat(world.worker(0).workers()).hasSize(2);
    }
  }
}
