// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static dev.tensorbus.autograd.Losses.crossEntropy;
import static dev.tensorbus.autograd.Losses.l1Loss;
import static dev.tensorbus.autograd.Losses.mseLoss;
import static dev.tensorbus.autograd.Losses.nllLoss;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// The derivative of every operation, one line each.
final class GradientCheckTest {
  private static final long SEED = Long.getLong("seed", 1);
  private static final int[] LABELS = {2, 0, 1};

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void everyOperationHasTheDerivativeOfItsValues() {
    check(x -> x.scale(-1.5f), randn(3, 4));
    check(x -> x.add(x), randn(3, 4));
    checkAll(x -> x.get(0).add(x.get(1)), randn(3, 4), randn(3, 4));
    checkAll(x -> x.get(0).add(x.get(1)), randn(2, 3, 4), randn(3, 4));
    checkAll(x -> x.get(0).add(x.get(1)), randn(3, 4), randn());
    checkAll(x -> x.get(0).sub(x.get(1)), randn(3, 4), randn(3, 4));
    checkAll(x -> x.get(0).mul(x.get(1)), randn(3, 4), randn(3, 4));
    check(x -> x.mul(x), randn(3, 4));
    check(Tensor::abs, apart(3, 4));
    check(Tensor::relu, apart(3, 4));
    check(x -> x.reshape(2, 6), randn(3, 4));
    check(x -> x.flatten(1), randn(2, 3, 4));
    check(Tensor::sum, randn(3, 4));
    check(Tensor::mean, randn(3, 4));
    check(x -> x.logSoftmax(1), randn(3, 4));
    check(x -> x.dropout(0.5f, new SplittableRandom(1)), randn(3, 4));
    check(x -> x.dropout2d(0.5f, new SplittableRandom(1)), randn(3, 4, 2, 2));
    checkAll(x -> x.get(0).matmul(x.get(1)), randn(3, 4), randn(4, 5));
    checkAll(x -> x.get(0).linear(x.get(1), x.get(2)), randn(3, 4), randn(5, 4), randn(5));
    check(x -> x.maxPool2d(2), apart(2, 3, 5, 4));
    checkAll(
        x -> x.get(0).conv2d(x.get(1), x.get(2)), randn(2, 3, 6, 5), randn(4, 3, 3, 2), randn(4));
    check(x -> nllLoss(x, LABELS), randn(3, 4));
    check(x -> crossEntropy(x, LABELS), randn(3, 4));
    checkAll(x -> mseLoss(x.get(0), x.get(1)), randn(3, 4), randn(3, 4));
    checkAll(x -> l1Loss(x.get(0), x.get(1)), apart(3, 4), Tensor.zeros(3, 4));
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

  /// Values with a gap of a quarter between any two and around 0, in random order.
  private Tensor apart(int... sizes) {
    float[] values = new float[Shape.of(sizes).elements()];
    for (int i = 0; i < values.length; i++) {
      int swapped = random.nextInt(i + 1);
      values[i] = values[swapped];
      values[swapped] = (i - values.length / 2 + 0.5f) / 4;
    }
    return Tensor.of(Shape.of(sizes), values);
  }
}
