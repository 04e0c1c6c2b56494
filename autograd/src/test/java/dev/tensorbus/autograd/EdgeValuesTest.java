// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.tensorbus.autograd.graph.Backward;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// Functions at the ends of their ranges, where torch has a value that a formula may miss.
final class EdgeValuesTest {
  private static final float INFINITY = Float.POSITIVE_INFINITY;

  /// More values than a vector has.
  private static Tensor repeated(float... values) {
    return Tensor.of(values).unsqueeze(0).expand(9, values.length);
  }

  private static double[] doubles(Tensor x) {
    return x.detach().to(DType.FLOAT64).doubles();
  }

  private static Tensor gradient(UnaryOperator<Tensor> function, Tensor x, Tensor gradient) {
    Tensor leaf = Tensor.parameterOf(x);
    return Objects.requireNonNull(
        Backward.from(function.apply(leaf), gradient).gradientsOf(leaf).getFirst());
  }

  @Test
  void aClampOfCrossedBoundsReturnsTheMaximum() {
    for (DType type : new DType[] {DType.FLOAT32, DType.FLOAT64}) {
      Tensor x = repeated(-2, 0.1f, 2, Float.NaN).to(type);
      double[] y = doubles(x.clamp(1, -1));
      for (int i = 0; i < y.length; i++) {
        assertThat(Double.compare(y[i], i % 4 == 3 ? Double.NaN : -1)).isZero();
      }
      Tensor ones = Tensor.full(x.shape(), type, 1);
      assertThat(doubles(gradient(in -> in.clamp(1, -1), x, ones))).containsOnly(0);
    }
    assertThatThrownBy(() -> Tensor.of(1).clamp(Double.NaN, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("clamp: bounds NaN and 1.0; expected numbers, or infinities for no bound");
  }

  @Test
  void siluAndSigmoidReachTheSmallestNumbers() {
    float[] x = {-87, -88, -88.5f, -88.7f, -90, -95, -100, -103, -104, -200, -INFINITY};
    float[] sigmoids = repeated(x).sigmoid().values();
    float[] silus = repeated(x).silu().values();
    for (int i = 0; i < sigmoids.length; i++) {
      double at = x[i % x.length];
      double sigmoid = Math.exp(at) / (1 + Math.exp(at));
      assertThat((double) sigmoids[i])
          .as("sigmoid(%s)", at)
          .isCloseTo(sigmoid, within(1e-6 * sigmoid + Float.MIN_VALUE));
      if (Double.isFinite(at)) {
        // The product of the number and a rounded sigmoid.
        assertThat((double) silus[i])
            .as("silu(%s)", at)
            .isCloseTo(at * sigmoid, within(1e-6 * Math.abs(at * sigmoid) - at * Float.MIN_VALUE));
      } else {
        assertThat(silus[i]).isNaN(); // as in torch
      }
    }
    assertThat(Tensor.of(-88.7f).silu().item()).isCloseTo(-2.6669e-37f, withinPercentage(0.01));
  }

  @Test
  void theGradientOfALogarithmIsFiniteWhereTheQuotientIs() {
    Tensor x = repeated(1e-39f, 2e-39f, 5e-39f, INFINITY);
    Tensor gradients = repeated(0.1f, 0.1f, 1, INFINITY);
    double[] expected = {1e38, 5e37, 2e38, 0};
    float[] inFloat32 = gradient(Tensor::log, x, gradients).values();
    Tensor tiny = repeated(1e-30f, 1).to(DType.FLOAT64).scale(1e-280);
    double[] inFloat64 = doubles(gradient(Tensor::log, tiny, repeated(1e-20f, 1).to(tiny.dtype())));
    for (int i = 0; i < inFloat32.length; i++) {
      double wanted = expected[i % expected.length];
      assertThat((double) inFloat32[i]).isCloseTo(wanted, within(1e-6 * wanted));
    }
    for (int i = 0; i < inFloat64.length; i++) {
      double wanted = i % 2 == 0 ? 1e290 : 1e280;
      assertThat(inFloat64[i]).isCloseTo(wanted, within(1e-6 * wanted));
    }
    Tensor leaf = Tensor.parameterOf(x.slice(1, 0, 3));
    Tensor recorded =
        Objects.requireNonNull(
            Backward.from(leaf.log(), gradients.slice(1, 0, 3))
                .createGraph()
                .gradientsOf(leaf)
                .getFirst());
    assertThat(recorded.values())
        .containsExactly(gradient(Tensor::log, leaf.detach(), gradients.slice(1, 0, 3)).values());
  }

  /// As Java, C, numpy and ONNX have it. torch takes `sqrt` and `rsqrt` for these exponents, of
  /// which -inf has none and -0 keeps its sign.
  @Test
  void powersOfAHalfFollowIeee754() {
    float[] x = {-0f, 0f, -INFINITY, INFINITY};
    assertThat(Tensor.of(x).pow(0.5).values()).containsExactly(0f, 0f, INFINITY, INFINITY);
    assertThat(Tensor.of(x).pow(-0.5).values()).containsExactly(INFINITY, INFINITY, 0f, 0f);
    assertThat(doubles(Tensor.of(x).to(DType.FLOAT64).pow(0.5)))
        .containsExactly(0, 0, INFINITY, INFINITY);
    assertThat(doubles(Tensor.of(x).to(DType.FLOAT64).pow(-0.5)))
        .containsExactly(INFINITY, INFINITY, 0, 0);
  }
}
