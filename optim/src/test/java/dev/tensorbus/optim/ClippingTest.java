// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The expected numbers are those of `torch.nn.utils.clip_grad_norm_` and `clip_grad_value_`.
class ClippingTest {
  private final Tensor one = zeros(2);
  private final Tensor other = zeros(3);
  private final Optimizer optimizer = new Sgd(1).over(List.of(one, other, zeros(1)));

  @Test
  void scalesAllGradientsByTheNormOfAll() {
    backward(Tensor.of(3, -4), Tensor.of(0, 12, 0));
    assertThat(optimizer.step(Clipping.byNorm(6.5))).isEqualTo(13);
    assertThat(one.values()).containsExactly(new float[] {-1.5f, 2}, within(1e-6f));
    assertThat(other.values()).containsExactly(new float[] {0, -6, 0}, within(1e-6f));
  }

  @Test
  void leavesSmallGradientsAlone() {
    backward(Tensor.of(3, -4), Tensor.of(0, 12, 0));
    assertThat(optimizer.step(Clipping.byNorm(13.1))).isEqualTo(13);
    assertThat(one.values()).containsExactly(-3, 4);
  }

  @Test
  void takesOtherNorms() {
    backward(Tensor.of(3, -4), Tensor.of(0, 12, 0));
    assertThat(optimizer.step(Clipping.byNorm(6).withNormType(Double.POSITIVE_INFINITY)))
        .isEqualTo(12);
    assertThat(one.values()).containsExactly(new float[] {-1.5f, 2}, within(1e-6f));
    assertThat(optimizer.step(Clipping.byNorm(1e9).withNormType(1))).isEqualTo(19);
    assertThat(optimizer.step(Clipping.byNorm(1e9).withNormType(3)))
        .isCloseTo(Math.cbrt(27 + 64 + 1728), within(1e-12));
  }

  @Test
  void bringsEachNumberBetweenBounds() {
    backward(Tensor.of(3, -4), Tensor.of(0, 12, 0));
    assertThat(optimizer.step(Clipping.byValue(3.5))).as("the greatest").isEqualTo(12);
    assertThat(one.values()).containsExactly(-3, 3.5f);
    assertThat(other.values()).containsExactly(0, -3.5f, 0);
  }

  @Test
  void aFrozenParameterCountsForNothing() {
    backward(Tensor.of(3, -4), Tensor.of(0, 12, 0));
    other.requiresGrad(false);
    assertThat(optimizer.step(Clipping.byNorm(2.5))).isEqualTo(5);
    assertThat(one.values()).containsExactly(new float[] {-1.5f, 2}, within(1e-6f));
    assertThat(other.values()).containsExactly(0, 0, 0);
  }

  @Test
  void countsEachRowOfASparseGradientOnce() {
    Tensor table = Tensor.parameter(Shape.of(3, 1), new float[3]);
    SparseRows rows =
        new SparseRows(
            Shape.of(3, 1), new int[] {2, 0, 2}, Tensor.of(Shape.of(3, 1), new float[] {1, 3, 3}));
    double[] norms = new Sgd(1).over(List.of(table)).norms(_ -> Tensor.ofRows(rows), 2);
    assertThat(norms).containsExactly(5);
  }

  @Test
  void anInfiniteNormIsAnErrorAndChangesNothing() {
    backward(Tensor.of(3, Float.POSITIVE_INFINITY), Tensor.of(0, 12, 0));
    assertThatExceptionOfType(NonFiniteGradientException.class)
        .isThrownBy(() -> optimizer.step(Clipping.byNorm(1)))
        .withMessageStartingWith(
            "step: the gradient of parameter 0 float32 [2] is Infinity at index 1;");
    optimizer.setErrorIfNonFinite(false);
    assertThat(optimizer.step(Clipping.byNorm(1))).isInfinite();
    assertThat(one.values()).containsOnly(0);
    assertThat(other.values()).containsOnly(0);
    assertThat(optimizer.skippedSteps()).isEqualTo(1);
  }

  @Test
  void aNormThatIsTooLargeForANumberIsClippedAsInTorch() {
    Tensor huge = Tensor.parameterOf(Tensor.ofDoubles(1, 1));
    huge.mul(Tensor.ofDoubles(1e200, 3)).sum().backward();
    assertThat(new Sgd(1).over(List.of(huge)).step(Clipping.byNorm(1))).isInfinite();
    assertThat(huge.doubles()).containsExactly(1, 1);
  }

  @Test
  void refusesBoundsThatAreNotPositive() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Clipping.byNorm(0))
        .withMessage("clipping: norm 0.0 must be above 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Clipping.byValue(-1))
        .withMessage("clipping: value -1.0 must be above 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Clipping.byNorm(1).withNormType(Double.NaN))
        .withMessage("clipping: norm type NaN must be above 0");
  }

  private void backward(Tensor gradientOfOne, Tensor gradientOfOther) {
    one.mul(gradientOfOne).sum().add(other.mul(gradientOfOther).sum()).backward();
  }

  private static Tensor zeros(int size) {
    return Tensor.parameter(Shape.of(size), new float[size]);
  }
}
