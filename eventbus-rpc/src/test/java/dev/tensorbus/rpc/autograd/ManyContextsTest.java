// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.MemoryWorld;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import org.junit.jupiter.api.Test;

/// Contexts do not leak: ten thousand follow one another over three workers.
class ManyContextsTest {
  private static final int CONTEXTS = 10_000;

  /// When all that is made once has been made, the answers that are kept for repeats among it.
  private static final int WARM = 4_000;

  private static final long ROOM = 8L << 20;

  @Test
  void tenThousandContextsLeaveNothingAndTheHeapFlat() {
    try (MemoryWorld world = new MemoryWorld(3)) {
      Rpc rpc = world.worker(0);
      Tensor x = Tensor.parameter(Shape.of(3), new float[] {1, 2, 3});
      long warm = 0;
      for (int number = 0; number < CONTEXTS; number++) {
        if (number == WARM) {
          warm = settledHeap(world);
        }
        try (var context = DistAutograd.context(rpc)) {
          Tensor y = rpc.rpcSync("worker1", Graphs::timesOwnThrough, x, "worker2");
          context.backward(y.sum());
          assertThat(context.gradients().get(x).values()).containsExactly(4, 4, 4);
        }
      }
      assertThat(settledHeap(world)).isLessThan(warm + ROOM);
    }
  }

  private static long settledHeap(MemoryWorld world) {
    for (int rank = 0; rank < 3; rank++) {
      Rpc worker = world.worker(rank);
      World.eventually(() -> worker.debugInfo().values().stream().allMatch(held -> held == 0));
    }
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
