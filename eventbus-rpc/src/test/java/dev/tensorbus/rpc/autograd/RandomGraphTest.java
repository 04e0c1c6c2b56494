// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.MemoryHosts;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Computations drawn by the dice have the same gradients on several workers as on one.
///
/// `-Dseed=` draws the same graphs again; `-Dgraph=` runs the one of this number only.
@Tag("long")
class RandomGraphTest {
  private static final System.Logger LOG = System.getLogger(RandomGraphTest.class.getName());
  private static final int GRAPHS = 2000;
  private static final int WORKERS = 4;

  @AutoClose private static final MemoryHosts HOSTS = new MemoryHosts();

  @AutoClose private final World world = HOSTS.open(WORKERS);
  private final Rpc rpc = world.worker(0);

  @Test
  void randomGraphsHaveTheLocalGradients() {
    long seed = Long.getLong("seed", System.nanoTime());
    LOG.log(System.Logger.Level.INFO, "seed {0}", Long.toString(seed));
    SplittableRandom random = new SplittableRandom(seed);
    int only = Integer.getInteger("graph", -1);
    for (int number = 0; number < GRAPHS; number++) {
      RandomGraph graph = RandomGraph.draw(random, WORKERS);
      if (only < 0 || only == number) {
        String name = "-Dseed=%d -Dgraph=%d: %s".formatted(seed, number, graph);
        try {
          compare(graph, name);
        } catch (RuntimeException e) {
          throw new AssertionError(name, e);
        }
      }
    }
    requireNothingLeft();
  }

  private void compare(RandomGraph graph, String name) {
    LocalSteps local = new LocalSteps(graph.type(), graph.workers());
    List<Tensor> expected = graph.parameters();
    Tensor loss = graph.run(expected, local);
    loss.backward();
    List<Tensor> parameters = graph.parameters();
    try (var context = DistAutograd.context(rpc)) {
      Tensor found = graph.run(parameters, new RemoteSteps(rpc));
      assertThat(found.item()).as(name).isCloseTo(loss.item(), Offset.offset(1e-5f));
      context.backward(found);
      for (int i = 0; i < parameters.size(); i++) {
        requireClose(context.gradients().get(parameters.get(i)), expected.get(i).grad(), name);
      }
      for (int worker = 0; worker < graph.workers(); worker++) {
        Tensor weight = local.weights().get(worker);
        requireClose(weightGradient(worker, graph.type(), context.id()), weight.grad(), name);
      }
    }
  }

  private @Nullable Tensor weightGradient(int worker, DType type, long context) {
    List<Tensor> gradient =
        rpc.rpcSync("worker" + worker, RemoteSteps::weightGradient, type, context);
    return gradient.isEmpty() ? null : gradient.getFirst();
  }

  private static void requireClose(@Nullable Tensor found, @Nullable Tensor expected, String name) {
    if (expected == null || found == null) {
      assertThat(found).as(name).isNull();
      assertThat(expected).as(name).isNull();
      return;
    }
    assertThat(found.dtype()).as(name).isEqualTo(expected.dtype());
    double rounding = found.dtype() == DType.FLOAT32 ? 1e-4 : 1e-12;
    double[] values = found.to(DType.FLOAT64).doubles();
    double[] wanted = expected.to(DType.FLOAT64).doubles();
    for (int i = 0; i < wanted.length; i++) {
      assertThat(values[i]).as(name).isCloseTo(wanted[i], Offset.offset(rounding));
    }
  }

  private void requireNothingLeft() {
    for (int rank = 0; rank < WORKERS; rank++) {
      Rpc worker = world.worker(rank);
      World.eventually(() -> isIdle(worker));
    }
  }

  private static boolean isIdle(Rpc worker) {
    return worker.debugInfo().values().stream().allMatch(held -> held == 0);
  }
}
