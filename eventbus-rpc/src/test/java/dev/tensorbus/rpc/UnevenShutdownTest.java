// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// G10: ends of worlds in which some have more to do than others.
class UnevenShutdownTest {
  @Test
  void whoIsDoneServesThoseThatAreNot() {
    try (MemoryWorld world = new MemoryWorld(4)) {
      List<Future<Void>> ends = new ArrayList<>();
      IntStream.range(1, 4).forEach(rank -> ends.add(world.worker(rank).shutdown()));
      Tensor heavy = Tensor.ones(100, 100);
      for (String to : List.of("worker1", "worker2")) {
        List<Future<Tensor>> calls = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
          calls.add(world.worker(0).rpcAsync(to, Tensor::matmul, heavy, heavy));
        }
        for (Future<Tensor> call : calls) {
          assertThat(call.await().values()[0]).isEqualTo(100);
        }
      }
      ends.add(world.worker(0).shutdown());
      Future.all(ends).await();
    }
  }

  @Test
  void barriersFollowEachOtherWithoutAnEnd() {
    try (MemoryWorld world = new MemoryWorld(3)) {
      for (int time = 0; time < 2; time++) {
        List<Future<Void>> barriers = new ArrayList<>();
        IntStream.range(0, 3).forEach(rank -> barriers.add(world.worker(rank).barrierAsync()));
        Future.all(barriers).await();
      }
      assertThat(world.worker(0).rpcSync("worker2", Probe::where)).isEqualTo("worker2 for worker0");
    }
  }

  @Test
  void leavingWaitsForNobody() {
    try (MemoryWorld world = new MemoryWorld(3)) {
      Future<Void> blocked = world.worker(0).rpcAsync("worker1", Probe::block);
      world.worker(2).leave().await();
      assertThat(world.worker(0).rpcSync("worker1", Probe::sum, 1, 2)).isEqualTo(3);
      world.worker(0).leave().await();
      assertThatThrownBy(blocked::await)
          .isInstanceOf(NoSuchWorkerException.class)
          .hasMessage("worker0 has left the world while waiting for Probe.block");
    }
  }

  @Test
  void referencesThatAreOpenDoNotKeepAWorkerFromItsEnd() {
    for (LeakCheck check : List.of(LeakCheck.OFF, LeakCheck.WARN)) {
      try (MemoryWorld world = new MemoryWorld(2, options -> options.withLeakCheck(check))) {
        RRef<Probe> open = world.worker(0).remote("worker1", Probe::new, 1);
        open.created().await();
        Future.all(world.worker(0).shutdown(), world.worker(1).shutdown()).await();
        assertThat(open.owner().name()).isEqualTo("worker1");
      }
    }
  }
}
