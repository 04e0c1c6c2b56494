// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import dev.tensorbus.rpc.process.ProcessHosts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// Contexts do not leak: ten thousand follow one another over three workers, each in a JVM of its
/// own.
@Isolated("it measures the heap")
@Tag("long")
class ManyContextsIT {
  private static final int WORKERS = 3;

  private static final int CONTEXTS = 10_000;

  /// When all that is made once has been made, the answers that are kept for repeats among it.
  private static final int WARM = 4_000;

  private static final long ROOM = 8L << 20;

  /// How many to name when a heap has grown.
  private static final int CLASSES = 25;

  @Test
  void tenThousandContextsLeaveNothingAndEveryHeapFlat() {
    try (ProcessHosts hosts = new ProcessHosts(WORKERS - 1);
        World world = new World(World.PATIENCE, hosts.hosts())) {
      runContexts(world.worker(0), WARM);
      List<Long> warm = settledHeaps(world);
      runContexts(world.worker(0), CONTEXTS - WARM);
      List<Long> grown = settledHeaps(world);
      for (int rank = 0; rank < WORKERS; rank++) {
        String worker = "worker" + rank;
        assertThat(grown.get(rank))
            .as(
                () ->
                    "heap of "
                        + worker
                        + world.worker(0).rpcSync(worker, ManyContextsIT::mostOfHeap))
            .isLessThan(warm.get(rank) + ROOM);
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

  /// The classes that take most of this JVM's heap, a line each.
  @Remote
  static String mostOfHeap() throws IOException, InterruptedException {
    // This JVM stands still while it counts, and so would who reads from a pipe.
    Path histogram = Files.createTempFile("histogram", ".txt");
    try {
      new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
              Long.toString(ProcessHandle.current().pid()),
              "GC.class_histogram")
          .redirectErrorStream(true)
          .redirectOutput(histogram.toFile())
          .start()
          .waitFor();
      return Files.readAllLines(histogram).stream()
          .limit(CLASSES)
          .collect(Collectors.joining("\n", "\n", "\n"));
    } finally {
      Files.delete(histogram);
    }
  }
}
