// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.rpc.RRef;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// The gradients of a backward pass over several workers.
abstract class GradientContract extends AutogradContract {
  @Test
  void gradientsComeBackThroughACall() {
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rpcSync("worker1", Tensor::mul, a, b).sum());
      assertThat(context.gradients()).containsOnlyKeys(a, b);
      requireValues(context.gradients().get(a), 4, 5, 6);
      requireValues(context.gradients().get(b), 1, 2, 3);
    }
  }

  @Test
  void gradientsComeBackThroughAReferenceThatIsFetchedTwice() {
    try (var context = DistAutograd.context(rpc)) {
      RRef<Tensor> product = rpc.remote("worker1", Tensor::mul, a, b);
      context.backward(product.toHere().add(product.toHere()).sum());
      requireValues(context.gradients().get(a), 8, 10, 12);
    }
  }

  @Test
  void aCallToSelfIsDifferentiatedToo() {
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rpcSync("worker0", Tensor::mul, a, b).sum());
      requireValues(context.gradients().get(a), 4, 5, 6);
      assertThat(context.gradients()).containsOnlyKeys(a, b);
    }
  }

  @Test
  void theTensorsOwnGradientsAreLeftAlone() {
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rpcSync("worker1", Tensor::mul, a, b).sum());
      assertThat(a.grad()).isNull();
      a.mul(a).sum().backward();
      context.backward(rpc.rpcSync("worker1", Tensor::add, a, b).sum());
      requireValues(a.grad(), 2, 4, 6);
    }
  }

  @Test
  void gradientsStayWithTheOwnerOfAParameter() {
    RRef<Tensor> weight = rpc.remote("worker1", Graphs::weight);
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rpcSync("worker1", Graphs::timesWeight, weight, a).sum());
      assertThat(context.gradients()).containsOnlyKeys(a);
      requireValues(context.gradients().get(a), 7, 7, 7);
      requireValues(rpc.rpcSync("worker1", Graphs::gradient, weight, context.id()), 1, 2, 3);
    }
  }

  @Test
  void aReferenceIsPassedOnToItsOwner() {
    RRef<Tensor> weight = rpc.remote("worker2", Graphs::weight);
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Graphs::timesWeightAtOwner, weight, a);
      context.backward(product.sum());
      requireValues(context.gradients().get(a), 7, 7, 7);
      requireValues(rpc.rpcSync("worker2", Graphs::gradient, weight, context.id()), 1, 2, 3);
    }
  }

  @Test
  void severalTrainersOfOneParameterDoNotMix() {
    RRef<Tensor> weight = rpc.rref(Graphs.weight());
    List<Future<Boolean>> trainers = new ArrayList<>();
    for (int worker = 1; worker < WORKERS; worker++) {
      for (int step = 1; step <= 10; step++) {
        trainers.add(rpc.rpcAsync("worker" + worker, Graphs::trainOnce, weight, worker * step));
      }
    }
    trainers.forEach(trainer -> assertThat(trainer.await()).isTrue());
    awaitNothingHeld();
  }

  @Test
  void gradientsComeBackThroughCallsInCalls() {
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rpcSync("worker1", Graphs::mulAt, a, b, "worker2").sum());
      requireValues(context.gradients().get(a), 8, 10, 12);
    }
    try (var context = DistAutograd.context(rpc)) {
      Tensor y = rpc.rpcSync("worker1", Graphs::through, List.of("worker2", "worker3"), a);
      context.backward(y.mul(b).sum());
      requireValues(context.gradients().get(a), 8, 10, 12);
    }
  }

  @Test
  void chainsOfProductsOfAllShapesHaveTheLocalGradients() {
    SplittableRandom random = new SplittableRandom(1);
    int[] sizes = {4, 5, 6, 3, 2, 4};
    List<Tensor> here = new ArrayList<>();
    for (int i = 0; i + 1 < sizes.length; i++) {
      here.add(Tensor.parameterOf(Tensor.randn(random, sizes[i], sizes[i + 1])));
    }
    here.stream().reduce(Tensor::matmul).orElseThrow().sum().backward();
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = here.getFirst();
      for (int i = 1; i < here.size(); i++) {
        product = rpc.rpcSync("worker" + (1 + i % 3), Tensor::matmul, product, here.get(i));
      }
      context.backward(product.sum());
      here.forEach(x -> requireValues(context.gradients().get(x), x.grad().values()));
    }
  }

  @Test
  void aNetworkOnTwoWorkersHasTheLocalGradientsBitForBit() {
    SplittableRandom random = new SplittableRandom(2);
    Tensor x = Tensor.randn(random, 8, 6);
    Tensor w = Tensor.parameterOf(Tensor.randn(random, 6, 5));
    Tensor v = Tensor.parameterOf(Tensor.randn(random, 5, 4));
    Graphs.network(x, w, v).sum().backward();
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rpcSync("worker1", Graphs::networkAt, x, w, v, "worker2").sum());
      requireValues(context.gradients().get(w), w.grad().values());
      requireValues(context.gradients().get(v), v.grad().values());
    }
  }

  @Test
  void onlyTensorsThatRequireAGradientGetOne() {
    List<Tensor> mixed = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Tensor values = Tensor.of(i, i + 1);
      mixed.add(i % 2 == 0 ? Tensor.parameterOf(values) : values);
    }
    try (var context = DistAutograd.context(rpc)) {
      Tensor stacked = rpc.rpcSync("worker1", Tensor::stack, mixed, 0);
      assertThat(stacked.values()).isEqualTo(Tensor.stack(mixed, 0).values());
      context.backward(stacked.sum());
      assertThat(context.gradients().keySet())
          .containsExactlyInAnyOrderElementsOf(
              mixed.stream().filter(Tensor::requiresGrad).toList());
      assertThat(held(0, "sends")).isOne();
    }
  }

  @Test
  void theCalleeSeesWhichArgumentsRequireAGradient() {
    Tensor plain = Tensor.of(4, 5, 6);
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rpcSync("worker1", Graphs::mulIfFirstOnlyIsTracked, a, plain).sum());
      assertThat(context.gradients()).containsOnlyKeys(a);
      requireValues(context.gradients().get(a), 4, 5, 6);
      assertThat(plain.requiresGrad()).isFalse();
    }
  }

  @Test
  void gradientsAreOfTheTypeOfTheirTensors() {
    Tensor doubles = Tensor.parameterOf(Tensor.ofDoubles(4, 5, 6));
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Graphs::mulAsDoubles, a, doubles);
      assertThat(product.dtype()).isEqualTo(DType.FLOAT64);
      context.backward(product.sum());
      requireValues(context.gradients().get(a), 4, 5, 6);
      assertThat(context.gradients().get(doubles).doubles()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void sparseGradientsTravelAsTheirRows() {
    Tensor table = Tensor.parameterOf(Tensor.randn(new SplittableRandom(3), 1000, 2));
    Tensor rows = Tensor.ofLongs(7, 3, 7);
    try (var context = DistAutograd.context(rpc)) {
      Tensor found = rpc.rpcSync("worker1", Graphs::sparseRows, table, rows);
      context.backward(found.sum());
      Tensor gradient = context.gradients().get(table);
      assertThat(gradient.sparseRows().rows()).containsExactly(7, 3, 7);
      assertThat(gradient.select(0, 7).values()).containsExactly(2, 2);
      assertThat(gradient.sum().item()).isEqualTo(6);
    }
  }

  @Test
  void anEmbeddingBagElsewhereAddsTheSparseGradientsOfTwoPasses() {
    RRef<Tensor> table = rpc.remote("worker1", Graphs::table);
    Tensor rows = Tensor.ofLongs(1, 2, 4, 5, 4, 3);
    Tensor local = Graphs.table();
    Graphs.bag(local, rows).sum().backward();
    Graphs.bag(local, rows).sum().backward();
    try (var context = DistAutograd.context(rpc)) {
      for (int pass = 0; pass < 2; pass++) {
        context.backward(rpc.rpcSync("worker1", Graphs::bagOf, table, rows).sum());
      }
      assertThat(rpc.rpcSync("worker1", Graphs::hasSparseGradient, table, context.id())).isTrue();
      Tensor gradient = rpc.rpcSync("worker1", Graphs::gradient, table, context.id());
      assertThat(gradient.sparseRows()).isNotNull();
      requireValues(gradient, local.grad().values());
    }
  }

  @Test
  void aSecondPassAddsItsGradients() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor loss = rpc.rpcSync("worker1", Tensor::mul, a, b).sum();
      context.backward(loss);
      context.backward(loss);
      requireValues(context.gradients().get(a), 8, 10, 12);
    }
  }

  @Test
  void severalLossesAreSummed() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Tensor::mul, a, b);
      context.backward(product.sum(), rpc.rpcSync("worker2", Tensor::add, a, b).sum());
      requireValues(context.gradients().get(a), 5, 6, 7);
    }
  }

  @Test
  void aLocalGraphNeedsNoCall() {
    try (var context = DistAutograd.context(rpc)) {
      context.backward(a.add(b).sum());
      requireValues(context.gradients().get(a), 1, 1, 1);
      Tensor alone = Tensor.parameter(Shape.SCALAR, new float[] {5});
      context.backward(alone);
      requireValues(context.gradients().get(alone), 1);
    }
  }

  @Test
  void whatIsNoLossIsRefused() {
    try (var context = DistAutograd.context(rpc)) {
      assertThatThrownBy(context::backward)
          .hasMessage("backward: given no losses, so nothing to differentiate");
      assertThatThrownBy(() -> context.backward(Tensor.scalar(1)))
          .hasMessageContaining("nothing that this tensor was computed from requires a gradient");
      assertThatThrownBy(() -> context.backward(a.add(b)))
          .hasMessageContaining("the loss must be a scalar, but has shape [3]");
    }
  }

  @Test
  void hooksSeeTheWholeGradientOnce() {
    AtomicInteger calls = new AtomicInteger();
    Node.Hook hook =
        a.registerHook(
            gradient -> {
              calls.incrementAndGet();
              return gradient.scale(2);
            });
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Tensor::mul, a, b);
      context.backward(product.add(rpc.rpcSync("worker2", Tensor::add, a, b)).sum());
      requireValues(context.gradients().get(a), 10, 12, 14);
      assertThat(calls).hasValue(1);
      hook.remove();
      context.backward(rpc.rpcSync("worker1", Tensor::add, a, b).sum());
      assertThat(calls).hasValue(1);
    }
  }

  @Test
  void whatArrivedKeepsItsGradientIfItRetainsIt() {
    try (var context = DistAutograd.context(rpc)) {
      Tensor product = rpc.rpcSync("worker1", Tensor::mul, a, b);
      product.retainGrad();
      context.backward(product.scale(3).sum());
      requireValues(product.grad(), 3, 3, 3);
      requireValues(context.gradients().get(a), 12, 15, 18);
      assertThat(a.grad()).isNull();
    }
  }

  @Test
  void aGradientOfOneUseIsKeptWithoutACopy() {
    AtomicReference<Tensor> seen = new AtomicReference<>();
    a.registerHook(
        gradient -> {
          seen.set(gradient);
          return gradient;
        });
    try (var context = DistAutograd.context(rpc)) {
      context.backward(rpc.rpcSync("worker1", Tensor::mul, a, b).sum());
      assertThat(context.gradients().get(a).values()).isSameAs(seen.get().values());
      context.backward(rpc.rpcSync("worker1", Tensor::mul, a, b).sum());
      assertThat(context.gradients().get(a).values()).isNotSameAs(seen.get().values());
      requireValues(seen.get(), 4, 5, 6);
    }
  }
}
