// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.InfinityCheck;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.graph.GradientCheck;
import dev.tensorbus.autograd.onnx.OnnxTwin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A layer, or a function, on the inputs of one case of `torch/layers.py`: results, gradients and
/// state are compared with torch's.
///
/// @param layer takes torch's state; null for a function, which has none
record LayerCase(String name, @Nullable Layer layer, Function<Inputs, List<Tensor>> function) {
  /// Sums of up to some hundred products, which torch adds in a different order.
  private static final float TOLERANCE = 1e-5f;

  /// The inputs of a case.
  ///
  /// @param tensors whose gradients are wanted
  /// @param indices of int64
  record Inputs(List<Tensor> tensors, List<Tensor> indices) {
    Tensor get(int i) {
      return tensors.get(i);
    }

    Tensor index() {
      return indices.getFirst();
    }
  }

  /// Compares in a type, which the layer has from then on.
  ///
  /// @param pass the kind of backward pass
  void compareWith(Map<String, Tensor> reference, DType type, UnaryOperator<Backward> pass) {
    load(reference, type);
    List<Tensor> parameters = new ArrayList<>();
    for (Tensor x : numbered(reference, "x")) {
      parameters.add(Tensor.parameterOf(x.to(type)));
    }
    List<Tensor> results = function.apply(new Inputs(parameters, numbered(reference, "i")));
    assertThat(results).as(name).hasSameSizeAs(numbered(reference, "y"));
    List<Tensor> products = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      assertClose("y" + i, results.get(i), reference);
      products.add(results.get(i).mul(get(reference, "dy" + i).to(type)).sum());
    }
    pass.apply(Backward.from(Tensor.stack(products, 0).sum())).run();
    for (int i = 0; i < parameters.size(); i++) {
      assertClose("dx" + i, Objects.requireNonNull(parameters.get(i).grad(), name), reference);
    }
    assertLayer(reference);
  }

  private void load(Map<String, Tensor> reference, DType type) {
    if (layer != null) {
      layer.load(TorchResource.state(reference, name));
      layer.to(type);
      layer.parameters().forEach(Tensor::zeroGrad);
    }
  }

  private void assertLayer(Map<String, Tensor> reference) {
    if (layer != null) {
      layer
          .namedParameters()
          .forEach(
              (key, parameter) ->
                  assertClose("grad." + key, Objects.requireNonNull(parameter.grad()), reference));
      layer
          .state()
          .tensors()
          .forEach(
              (key, value) -> {
                boolean changed = reference.containsKey(name + "/after." + key);
                assertClose((changed ? "after." : "state.") + key, value, reference);
              });
    }
  }

  /// With respect to the inputs and the layer's parameters, which are float64 from then on.
  void checkGradient(Map<String, Tensor> reference, SplittableRandom random) {
    check(reference, new GradientCheck(random)::checkLeaves);
  }

  /// The same for the gradient of the gradient.
  void checkSecond(Map<String, Tensor> reference, SplittableRandom random) {
    check(reference, new GradientCheck(random)::checkSecondOfLeaves);
  }

  private void check(
      Map<String, Tensor> reference, BiConsumer<Supplier<Tensor>, List<Tensor>> check) {
    load(reference, DType.FLOAT64);
    List<Tensor> inputs =
        numbered(reference, "x").stream()
            .map(x -> Tensor.parameterOf(x.to(DType.FLOAT64)))
            .toList();
    List<Tensor> leaves = new ArrayList<>(inputs);
    if (layer != null) {
      leaves.addAll(layer.parameters());
    }
    Inputs all = new Inputs(inputs, numbered(reference, "i"));
    try {
      check.accept(() -> joined(function.apply(all)), leaves);
    } catch (AssertionError wrong) {
      throw new AssertionError(name + ": " + wrong.getMessage(), wrong);
    }
  }

  /// On ONNX Runtime.
  void compareOnnx(Map<String, Tensor> reference) {
    twin(reference).compare();
  }

  /// Exported and loaded again.
  void compareLoaded(Map<String, Tensor> reference, Path folder) {
    twin(reference).compareLoaded(folder);
  }

  /// With its derivative, as one graph.
  void compareStep(Map<String, Tensor> reference) {
    twin(reference).compareStep();
  }

  private OnnxTwin twin(Map<String, Tensor> reference) {
    load(reference, DType.FLOAT32);
    List<Tensor> tensors = numbered(reference, "x");
    List<Tensor> all = new ArrayList<>(tensors);
    all.addAll(numbered(reference, "i"));
    int count = tensors.size();
    return new OnnxTwin(
        name,
        layer == null ? OnnxTwin.nothing() : layer,
        in -> function.apply(new Inputs(in.subList(0, count), in.subList(count, in.size()))),
        all);
  }

  /// Of the inputs, without the weights of convolutions: those meet zeros of the padding.
  void checkInfinities(Map<String, Tensor> reference, SplittableRandom random) {
    load(reference, DType.FLOAT32);
    List<Tensor> indices = numbered(reference, "i");
    List<Tensor> inputs = numbered(reference, "x");
    for (int i = 0; i < (name.startsWith("conv") ? 1 : inputs.size()); i++) {
      int k = i;
      Function<Tensor, List<Tensor>> ofOne =
          x -> {
            List<Tensor> all = new ArrayList<>(inputs);
            all.set(k, x);
            return function.apply(new Inputs(all, indices));
          };
      new InfinityCheck(ofOne, random).check(name + ".x" + k, inputs.get(k));
    }
  }

  private static Tensor joined(List<Tensor> results) {
    return Tensor.concatenate(results.stream().map(y -> y.reshape(-1)).toList(), 0);
  }

  private List<Tensor> numbered(Map<String, Tensor> reference, String kind) {
    List<Tensor> found = new ArrayList<>();
    while (reference.containsKey(name + "/" + kind + found.size())) {
      found.add(get(reference, kind + found.size()));
    }
    return found;
  }

  private Tensor get(Map<String, Tensor> reference, String what) {
    return Objects.requireNonNull(reference.get(name + "/" + what), () -> name + "/" + what);
  }

  private void assertClose(String what, Tensor actual, Map<String, Tensor> reference) {
    Tensor expected = get(reference, what);
    assertThat(actual.shape()).as(name + "/" + what).isEqualTo(expected.shape());
    double[] wanted = expected.to(DType.FLOAT64).doubles();
    double[] got = actual.detach().to(DType.FLOAT64).doubles();
    double greatest = 1;
    for (double value : wanted) {
      greatest = Math.max(greatest, Math.abs(value));
    }
    for (int i = 0; i < wanted.length; i++) {
      assertThat(Math.abs(wanted[i] - got[i]) <= TOLERANCE * greatest)
          .as("%s/%s[%d] is %s, torch has %s", name, what, i, got[i], wanted[i])
          .isTrue();
    }
  }
}
