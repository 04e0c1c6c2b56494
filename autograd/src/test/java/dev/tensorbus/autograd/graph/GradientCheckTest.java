// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class GradientCheckTest {
  private static final long SEED = Long.getLong("seed", 1);

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void dropoutPassesGradientsWhereItPassedValues() {
    check(x -> x.dropout(0.5f, new SplittableRandom(1)), randn(3, 4));
    check(x -> x.dropout2d(0.5f, new SplittableRandom(1)), randn(3, 4, 2, 2));
  }

  @Test
  void functionsOfSeveralTensorsAreCheckedForAll() {
    checkAll(x -> x.get(0).mul(x.get(1)).add(x.get(0)), randn(3, 4), randn(4));
  }

  @Test
  void aWrongDerivativeIsFoundWithBothNumbers() {
    GradientCheck check = new GradientCheck(random);
    assertThatThrownBy(() -> check.check(x -> x.mul(x.detach()), randn(3, 4)))
        .isInstanceOf(AssertionError.class)
        .hasMessageMatching("gradient says [-0-9.E]+, difference of values says [-0-9.E]+");
  }

  private void check(UnaryOperator<Tensor> function, Tensor input) {
    checkAll(x -> function.apply(x.getFirst()), input);
  }

  private void checkAll(Function<List<Tensor>, Tensor> function, Tensor... inputs) {
    try {
      new GradientCheck(random).checkAll(function, inputs);
    } catch (AssertionError wrong) {
      throw new AssertionError(wrong.getMessage() + " (-Dseed=" + SEED + ")", wrong);
    }
  }

  private Tensor randn(int... sizes) {
    return Tensor.randn(random, sizes);
  }
}
