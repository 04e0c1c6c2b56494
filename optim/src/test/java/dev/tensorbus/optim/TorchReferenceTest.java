// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
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
  private static final Map<String, Tensor> REFERENCE = TorchResource.read("optimizers");

  static List<Arguments> cases() {
    return forEachType(OptimizerCases.all());
  }

  static List<Arguments> sparseCases() {
    return forEachType(OptimizerCases.sparse());
  }

  private static List<Arguments> forEachType(Map<String, OptimizerSpec> specs) {
    List<Arguments> cases = new ArrayList<>();
    for (DType type : List.of(DType.FLOAT32, DType.FLOAT64)) {
      specs.forEach((name, spec) -> cases.add(Arguments.of(type, name, spec)));
    }
    return cases;
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("cases")
  void stepsGiveTheBitsOfTorch(DType type, String name, OptimizerSpec spec) {
    Tensor gradients = get(type + "/gradients");
    compare(spec, get(type + "/initial"), i -> gradients.select(0, i), get(type + "/" + name));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("sparseCases")
  void stepsByRowsGiveTheBitsOfTorch(DType type, String name, OptimizerSpec spec) {
    Tensor table = get(type + "/table");
    Tensor gradients = get(type + "/row_gradients");
    IntFunction<Tensor> sparse =
        i -> Tensor.ofRows(new SparseRows(table.shape(), rows(i), gradients.select(0, i)));
    compare(spec, table, sparse, get(type + "/" + name));
  }

  private static int[] rows(int step) {
    return Arrays.stream(get("rows").select(0, step).longs()).mapToInt(Math::toIntExact).toArray();
  }

  private static void compare(
      OptimizerSpec spec, Tensor initial, IntFunction<Tensor> gradients, Tensor expected) {
    Tensor parameter = Tensor.parameterOf(initial);
    Optimizer optimizer = spec.over(List.of(parameter));
    for (int step = 1; step <= SHOWN.getLast(); step++) {
      Tensor gradient = gradients.apply(step - 1);
      optimizer.step(_ -> gradient);
      if (SHOWN.contains(step)) {
        assertThat(parameter.heap())
            .as("step %s", step)
            .isEqualTo(expected.select(0, SHOWN.indexOf(step)).heap());
      }
    }
  }

  private static Tensor get(String name) {
    return Objects.requireNonNull(REFERENCE.get(name), name);
  }
}
