// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.testing.MemoryWorld;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

class ShutdownBarrierTest {
  /// A busy worker may run a report late that its sender has given up and sent again.
  @Test
  void aReportThatAnotherReplacesIsAnsweredThatItsWorkerMayNotLeaveYet() {
    try (MemoryWorld world = new MemoryWorld(2)) {
      Rpc worker = world.worker(1);
      Future<Boolean> first = worker.rpcAsync("worker0", ShutdownBarrier::arrive, 7L);
      Future<Boolean> second = worker.rpcAsync("worker0", ShutdownBarrier::arrive, 7L);
      Future.any(first, second).await();
      assertThat(first.isComplete() ? first.result() : second.result()).isFalse();
    }
  }
}
