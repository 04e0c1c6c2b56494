// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class InitializersTest {
  private static final int OUTPUTS = 40;
  private static final int INPUTS = 25;
  private static final int KERNEL = 4;

  /// The values of weights `[outputs, inputs, kernel]` after an initializer.
  private static double[] after(BiConsumer<Tensor, RandomGenerator> initializer) {
    Tensor weights = Tensor.parameterOf(Tensor.zeros(OUTPUTS, INPUTS, KERNEL));
    initializer.accept(weights, new SplittableRandom(1));
    return weights.to(DType.FLOAT64).doubles();
  }

  private static double greatest(double... values) {
    return Arrays.stream(values).map(Math::abs).max().orElseThrow();
  }

  private static double deviation(double... values) {
    return Math.sqrt(Arrays.stream(values).map(x -> x * x).average().orElseThrow());
  }

  @Test
  void uniformOnesReachTheBoundsOfTheirPapers() {
    double glorot = Math.sqrt(6.0 / (INPUTS * KERNEL + OUTPUTS * KERNEL));
    assertThat(greatest(after(Initializers::xavierUniform))).isBetween(0.99 * glorot, glorot);
    double he = Math.sqrt(6.0 / (INPUTS * KERNEL));
    assertThat(greatest(after(Initializers::kaimingUniform))).isBetween(0.99 * he, he);
  }

  @Test
  void normalOnesHaveTheDeviationsOfTheirPapers() {
    double glorot = Math.sqrt(2.0 / (INPUTS * KERNEL + OUTPUTS * KERNEL));
    assertThat(deviation(after(Initializers::xavierNormal)))
        .isCloseTo(glorot, within(0.05 * glorot));
    double he = Math.sqrt(2.0 / (INPUTS * KERNEL));
    assertThat(deviation(after(Initializers::kaimingNormal))).isCloseTo(he, within(0.05 * he));
    double[] shifted = after((weights, random) -> Initializers.normal(weights, 3, 0.5, random));
    assertThat(Arrays.stream(shifted).average().orElseThrow()).isCloseTo(3, within(0.05));
  }

  @Test
  void truncatedValuesStayWithinTwoDeviations() {
    double[] values =
        after((weights, random) -> Initializers.truncatedNormal(weights, 0.5, random));
    assertThat(greatest(values)).isBetween(0.95, 1.0);
  }

  @Test
  void aConstantIsEverywhereInEveryFloatingType() {
    Tensor bias = Tensor.parameterOf(Tensor.ofDoubles(1, 2));
    Initializers.constant(bias, 0.1);
    assertThat(bias.doubles()).containsExactly(0.1, 0.1);
  }

  @Test
  void aVectorHasNoInputsAndOutputs() {
    Tensor bias = Tensor.parameterOf(Tensor.zeros(3));
    assertThatThrownBy(() -> Initializers.kaimingUniform(bias, new SplittableRandom(1)))
        .hasMessageContaining("weights [3] have fewer than two axes")
        .hasMessageContaining("use uniform or normal");
  }
}
