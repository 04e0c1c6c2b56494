// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;

/// What the workers of the autograd tests compute for each other.
final class Graphs {
  private Graphs() {}

  @Remote
  static Tensor weight() {
    return Tensor.parameter(Shape.of(3), new float[] {7, 7, 7});
  }

  @Remote
  static Tensor timesWeight(RRef<Tensor> weight, Tensor x) {
    return x.mul(weight.localValue());
  }

  @Remote
  static Tensor gradient(RRef<Tensor> parameter, long context) {
    return DistAutograd.gradients(context).get(parameter.localValue());
  }

  /// `2ab`, of which the product is made by a third worker.
  @Remote
  static Tensor mulAt(Tensor a, Tensor b, String worker) {
    Tensor product = Rpc.current().rpcSync(worker, Tensor::mul, a, b);
    return product.add(product);
  }

  /// `2x`, after a round trip to each other worker.
  @Remote
  static Tensor slowly(Tensor x) {
    Rpc rpc = Rpc.current();
    rpc.workers().forEach(worker -> rpc.rpcSync(worker.name(), Graphs::weight));
    return x.add(x);
  }

  /// Keeps a tensor for as long as the worker lives.
  @Remote
  static void keep(Tensor tensor) {
    Rpc.current().shared(Keeper.class, Keeper::new).tensors.add(tensor);
  }

  @Remote
  static void keepBoth(Tensor first, Tensor second) {
    keep(first);
    keep(second);
  }

  private static final class Keeper {
    private final List<Tensor> tensors = new ArrayList<>();
  }

  /// Draws a computation of up to twelve steps over `a` and `b`; with a worker, each step runs
  /// wherever the dice say. Some results go unused.
  static Tensor random(@Nullable Rpc rpc, RandomGenerator random, Tensor a, Tensor b) {
    List<Tensor> values = new ArrayList<>(List.of(a, b));
    int steps = 1 + random.nextInt(12);
    for (int step = 0; step < steps; step++) {
      Tensor x = values.get(random.nextInt(values.size()));
      Tensor y = values.get(random.nextInt(values.size()));
      boolean multiply = random.nextInt(4) == 0;
      int place = random.nextInt(5);
      values.add(rpc == null ? compute(multiply, x, y, place) : away(rpc, multiply, x, y, place));
    }
    Tensor first = values.get(random.nextInt(values.size()));
    return first.add(values.getLast()).sum();
  }

  private static Tensor compute(boolean multiply, Tensor x, Tensor y, int place) {
    Tensor result = multiply ? x.mul(y) : x.add(y);
    return place == 4 ? result.add(result) : result;
  }

  private static Tensor away(Rpc rpc, boolean multiply, Tensor x, Tensor y, int place) {
    return switch (place) {
      case 0, 1, 2 ->
          multiply
              ? rpc.rpcSync("worker" + place, Tensor::mul, x, y)
              : rpc.rpcSync("worker" + place, Tensor::add, x, y);
      case 3 ->
          (multiply
                  ? rpc.remote("worker1", Tensor::mul, x, y)
                  : rpc.remote("worker1", Tensor::add, x, y))
              .toHere();
      default ->
          multiply
              ? rpc.rpcSync("worker1", Graphs::mulAt, x, y, "worker2")
              : rpc.rpcSync("worker2", Graphs::addAt, x, y, "worker1");
    };
  }

  /// `2(a + b)`, of which the sum is made by a third worker.
  @Remote
  static Tensor addAt(Tensor a, Tensor b, String worker) {
    Tensor sum = Rpc.current().rpcSync(worker, Tensor::add, a, b);
    return sum.add(sum);
  }

  static void requireEqual(@Nullable Tensor actual, @Nullable Tensor expected, long seed) {
    if (expected == null) {
      assertThat(actual).as("seed %d", seed).isNull();
      return;
    }
    assertThat(actual).as("seed %d", seed).isNotNull();
    for (int i = 0; i < expected.values().length; i++) {
      float value = expected.values()[i];
      assertThat(actual.values()[i])
          .as("seed %d", seed)
          .isCloseTo(value, Offset.offset(Math.max(1e-6f, Math.abs(value) * 1e-5f)));
    }
  }
}
