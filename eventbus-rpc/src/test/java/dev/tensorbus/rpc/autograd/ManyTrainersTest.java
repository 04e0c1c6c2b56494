// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.MemoryHosts;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.World;
import io.vertx.core.Future;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// Trainers that run forward, backward and step against one server at once, each as fast as it
/// can.
@Isolated("it measures the heap")
class ManyTrainersTest {
  private static final int TRAINERS = 8;
  private static final int STEPS = 60;

  /// A version of the server's parameter has 1 MiB.
  private static final int SIZE = 256 << 10;

  private static final long ROOM = 160L << 20;

  @AutoClose private static final MemoryHosts HOSTS = new MemoryHosts();

  @AutoClose private final World world = HOSTS.open(TRAINERS + 1);
  private final Rpc server = world.worker(0);
  private final Tensor weight = Tensor.parameter(Shape.of(SIZE), new float[SIZE]);

  /// The server's part of a step.
  @Remote
  static Tensor forward(RRef<Tensor> weight, Tensor x) {
    return x.mul(weight.localValue());
  }

  /// Adds a context's gradient to the parameter, which so gets a new version.
  @Remote
  static void step(RRef<Tensor> weight, long context) {
    Tensor parameter = weight.localValue();
    Tensor gradient = DistAutograd.gradients(context).get(parameter);
    parameter.replace(old -> old.add(gradient));
  }

  /// How many steps' backward saw other values than their forward.
  @Remote
  static int train(RRef<Tensor> weight, int steps) {
    Rpc rpc = Rpc.current();
    String owner = weight.owner().name();
    int wrong = 0;
    float[] ones = new float[SIZE];
    Arrays.fill(ones, 1);
    Tensor x = Tensor.parameter(Shape.of(SIZE), ones);
    for (int step = 0; step < steps; step++) {
      try (var context = DistAutograd.context(rpc)) {
        Tensor y = rpc.rpcSync(owner, ManyTrainersTest::forward, weight, x);
        context.backward(y.sum());
        // The derivative by x is the version of the weight that the forward pass saw.
        wrong += Arrays.equals(context.gradients().get(x).values(), y.values()) ? 0 : 1;
        rpc.rpcSync(owner, ManyTrainersTest::step, weight, context.id());
      }
    }
    return wrong;
  }

  @Test
  void eachBackwardSeesTheValuesThatItsForwardSaw() {
    RRef<Tensor> shared = server.rref(weight);
    trainAll(shared, 1, 5);
    awaitNoContexts();
    long before = World.usedHeap();
    trainAll(shared, TRAINERS, STEPS);
    assertThat(weight.values()).containsOnly(5 + TRAINERS * STEPS);
    awaitNoContexts();
    World.awaitHeap(before + ROOM); // 480 versions of 1 MiB are gone
  }

  private void trainAll(RRef<Tensor> shared, int trainers, int steps) {
    List<Future<Integer>> wrong =
        IntStream.rangeClosed(1, trainers)
            .mapToObj(
                trainer ->
                    server.rpcAsync("worker" + trainer, ManyTrainersTest::train, shared, steps))
            .toList();
    wrong.forEach(count -> assertThat(count.await()).isZero());
  }

  private void awaitNoContexts() {
    for (int rank = 0; rank <= TRAINERS; rank++) {
      Rpc worker = world.worker(rank);
      World.eventually(() -> worker.debugInfo().get("autograd.contexts") == 0);
    }
  }

  @Test
  void aVersionIsKeptForTheGraphThatUsesItAndNoLonger() {
    WeakReference<float[]> version = new WeakReference<>(weight.values());
    RRef<Tensor> shared = server.rref(weight);
    Tensor x = Tensor.parameterOf(Tensor.full(Shape.of(SIZE), weight.dtype(), 1));
    try (var _ = DistAutograd.context(server)) {
      server.rpcSync("worker0", ManyTrainersTest::forward, shared, x);
      weight.replace(old -> old.add(old).detach());
      System.gc();
      assertThat(version.get()).isNotNull();
    }
    World.eventuallyCollected(() -> version.refersTo(null));
  }
}
