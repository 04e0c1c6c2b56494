// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.safetensors.Safetensors;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Twenty steps of each optimizer, against `torch/optimizers.py`, whose cases have these names.
class TorchReferenceTest {
  private static final List<Integer> SHOWN = List.of(1, 2, 3, 10, 20);
  private static final Map<String, Tensor> REFERENCE = reference();

  static List<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (DType type : List.of(DType.FLOAT32, DType.FLOAT64)) {
      OptimizerCases.all().forEach((name, spec) -> cases.add(Arguments.of(type, name, spec)));
    }
    return cases;
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("cases")
  void stepsGiveTheBitsOfTorch(DType type, String name, OptimizerSpec spec) {
    Tensor parameter = Tensor.parameterOf(get(type + "/initial"));
    Optimizer optimizer = spec.over(List.of(parameter));
    IntFunction<Tensor> gradients = rows(get(type + "/gradients"));
    IntFunction<Tensor> expected = rows(get(type + "/" + name));
    for (int step = 1; step <= SHOWN.getLast(); step++) {
      Tensor gradient = gradients.apply(step - 1);
      optimizer.step(_ -> gradient);
      if (SHOWN.contains(step)) {
        assertThat(parameter.storage())
            .as("step %s", step)
            .isEqualTo(expected.apply(SHOWN.indexOf(step)).storage());
      }
    }
  }

  private static IntFunction<Tensor> rows(Tensor table) {
    return row -> table.select(0, row);
  }

  private static Tensor get(String name) {
    return Objects.requireNonNull(REFERENCE.get(name), name);
  }

  private static Map<String, Tensor> reference() {
    String file = "/torch/optimizers.safetensors";
    try {
      return Safetensors.read(
          Path.of(
              Objects.requireNonNull(TorchReferenceTest.class.getResource(file), file).toURI()));
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
