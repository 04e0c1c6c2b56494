// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.graph.GradientCheck;
import dev.tensorbus.autograd.onnx.OnnxTwin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One operation on the inputs of one case of `torch/reference.py`: results and gradients are
/// compared with torch's, and gradients with the slope of the values.
///
/// @param name the operation, with a variant after a dot; `.edges` has values without a slope
/// @param tolerance relative to the greatest value expected, at least 1: what is summed up may
///     cancel
record OperationCase(String name, float tolerance, Function<Inputs, Tensor> function) {
  /// The inputs of a case.
  ///
  /// @param tensors whose gradients are wanted
  /// @param indices of int64
  record Inputs(List<Tensor> tensors, List<Tensor> indices) {
    Tensor x() {
      return tensors.get(0);
    }

    Tensor y() {
      return tensors.get(1);
    }

    Tensor get(int i) {
      return tensors.get(i);
    }

    Tensor index() {
      return indices.get(0);
    }
  }

  /// The operation without its variant.
  String operation() {
    return name.split("\\.", 2)[0];
  }

  void compareWith(Reference reference, DType type) {
    List<Tensor> parameters = new ArrayList<>();
    for (Tensor x : reference.numbered(name + ".x")) {
      parameters.add(Tensor.parameterOf(x.to(type)));
    }
    Tensor y = function.apply(new Inputs(parameters, indices(reference)));
    assertClose(name + ".y", y, reference);
    assertThat(y.requiresGrad())
        .as(name + " has a gradient")
        .isEqualTo(reference.has(name + ".dy"));
    if (y.requiresGrad()) {
      assertThat(y.dtype()).as(name).isEqualTo(type);
      Backward pass = Backward.from(y, reference.get(name + ".dy").to(type));
      compareGradients(pass, parameters, reference);
      if (!name.endsWith(".edges")) {
        compareGradients(pass.createGraph(), parameters, reference);
      }
    }
  }

  private void compareGradients(Backward pass, List<Tensor> parameters, Reference reference) {
    List<@Nullable Tensor> gradients = pass.gradientsOf(parameters.toArray(Tensor[]::new));
    for (int i = 0; i < parameters.size(); i++) {
      Tensor gradient = Objects.requireNonNull(gradients.get(i), name);
      assertThat(gradient.dtype()).as(name).isEqualTo(parameters.get(i).dtype());
      assertClose(name + ".dx" + i, gradient, reference);
    }
  }

  boolean hasSlope(Reference reference) {
    return reference.has(name + ".dy") && !name.endsWith(".edges");
  }

  void checkGradient(Reference reference, SplittableRandom random) {
    Tensor[] inputs = smoothInputs(reference);
    List<Tensor> indices = indices(reference);
    try {
      new GradientCheck(random).checkAll(x -> function.apply(new Inputs(x, indices)), inputs);
    } catch (AssertionError wrong) {
      throw new AssertionError(name + ": " + wrong.getMessage(), wrong);
    }
  }

  void checkSecond(Reference reference, SplittableRandom random) {
    Tensor[] inputs = smoothInputs(reference);
    List<Tensor> indices = indices(reference);
    try {
      new GradientCheck(random).checkSecond(x -> function.apply(new Inputs(x, indices)), inputs);
    } catch (AssertionError wrong) {
      throw new AssertionError(name + ": " + wrong.getMessage(), wrong);
    }
  }

  /// Divisors at least 1/2 away from 0: torch drew some so near to it that no difference shows the
  /// slope of the quotient.
  private Tensor[] smoothInputs(Reference reference) {
    List<Tensor> inputs = new ArrayList<>(reference.numbered(name + ".x"));
    if (operation().equals("div")) {
      inputs.set(1, inputs.get(1).add(inputs.get(1).sign().scale(0.5)));
    }
    return inputs.toArray(Tensor[]::new);
  }

  void checkInfinities(Reference reference, SplittableRandom random) {
    List<Tensor> indices = indices(reference);
    List<Tensor> inputs = reference.numbered(name + ".x");
    for (int i = 0; i < inputs.size(); i++) {
      int k = i;
      Function<Tensor, List<Tensor>> ofOne =
          x -> {
            List<Tensor> all = new ArrayList<>(inputs);
            all.set(k, x);
            return List.of(function.apply(new Inputs(all, indices)));
          };
      new InfinityCheck(ofOne, random).check(name + ".x" + k, inputs.get(k));
    }
  }

  /// On ONNX Runtime, which treats infinities and NaN in its own way, and not that of torch.
  void compareOnnx(Reference reference) {
    twin(reference).compare();
  }

  /// Exported and loaded again.
  void compareLoaded(Reference reference, Path folder) {
    twin(reference).compareLoaded(folder);
  }

  /// With its derivative, as one graph.
  void compareStep(Reference reference) {
    twin(reference).compareStep();
  }

  /// The operators in the graph of that.
  Set<String> operatorsOfStep(Reference reference) {
    return twin(reference).operatorsOfStep();
  }

  private OnnxTwin twin(Reference reference) {
    List<Tensor> tensors = reference.numbered(name + ".x");
    List<Tensor> all = new ArrayList<>(tensors);
    all.addAll(indices(reference));
    int count = tensors.size();
    return new OnnxTwin(
        name,
        OnnxTwin.nothing(),
        in ->
            List.of(function.apply(new Inputs(in.subList(0, count), in.subList(count, in.size())))),
        all);
  }

  private List<Tensor> indices(Reference reference) {
    return reference.numbered(name + ".i").stream().map(i -> i.to(DType.INT64)).toList();
  }

  private void assertClose(String what, Tensor actual, Reference reference) {
    Tensor expected = reference.get(what);
    assertThat(actual.shape()).as(what).isEqualTo(expected.shape());
    float[] wanted = expected.values();
    float[] got = actual.detach().to(DType.FLOAT32).values();
    float greatest = 1;
    for (float value : wanted) {
      greatest = Float.isFinite(value) ? Math.max(greatest, Math.abs(value)) : greatest;
    }
    for (int i = 0; i < wanted.length; i++) {
      // By comparison first: equal infinities and NaN have no difference.
      boolean close =
          Float.valueOf(wanted[i]).equals(got[i])
              || Math.abs(wanted[i] - got[i]) <= tolerance * greatest;
      assertThat(close).as("%s[%d] is %s, torch has %s", what, i, got[i], wanted[i]).isTrue();
    }
  }
}
