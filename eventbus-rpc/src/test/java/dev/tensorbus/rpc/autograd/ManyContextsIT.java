// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.process.ProcessHosts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Contexts do not leak: ten thousand follow one another over three workers, each in a JVM of its
/// own.
class ManyContextsIT {
  private static final int WORKERS = 3;

  private static final int CONTEXTS = 10_000;

  /// When all that is made once has been made, the answers that are kept for repeats among it.
  private static final int WARM = 4_000;

  private static final long ROOM = 8L << 20;

  @Test
  void tenThousandContextsLeaveNothingAndEveryHeapFlat() {
    try (ProcessHosts hosts = new ProcessHosts(WORKERS - 1);
        World world = new World(World.PATIENCE, hosts.hosts())) {
      runContexts(world.worker(0), WARM);
      List<Long> warm = settledHeaps(world);
      runContexts(world.worker(0), CONTEXTS - WARM);
      List<Long> grown = settledHeaps(world);
      for (int rank = 0; rank < WORKERS; rank++) {
        assertThat(grown.get(rank)).as("heap of worker%d", rank).isLessThan(warm.get(rank) + ROOM);
      }
    }
  }

  private static void runContexts(Rpc rpc, int count) {
    Tensor x = Tensor.parameter(Shape.of(3), new float[] {1, 2, 3});
    for (int number = 0; number < count; number++) {
      try (var context = DistAutograd.context(rpc)) {
        Tensor y = rpc.rpcSync("worker1", Graphs::timesOwnThrough, x, "worker2");
        context.backward(y.sum());
        assertThat(context.gradients().get(x).values()).containsExactly(4, 4, 4);
      }
    }
  }

  private static List<Long> settledHeaps(World world) {
    List<Long> heaps = new ArrayList<>();
    for (int rank = 0; rank < WORKERS; rank++) {
      Rpc worker = world.worker(rank);
      World.eventually(() -> worker.debugInfo().values().stream().allMatch(held -> held == 0));
    }
    for (int rank = 0; rank < WORKERS; rank++) {
      heaps.add(world.worker(0).rpcSync("worker" + rank, ManyContextsIT::usedHeap));
    }
    return heaps;
  }

  @Remote
  static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
