// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.autograd.graph.GradientCheck;
import dev.tensorbus.nn.transformer.MultiheadAttention;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Attention as one operation gives what products and softmax give.
class AttentionTest {
  private static final long SEED = Long.getLong("seed", 1);

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void attentionIsSoftmaxOfProductsTimesValues() {
    for (DType type : List.of(DType.FLOAT32, DType.FLOAT64)) {
      sameAsDecomposed(type, null);
      sameAsDecomposed(type, Attention.causalMask(37, 150));
      sameAsDecomposed(type, mask(2, 1, 1, 150));
      sameAsDecomposed(type, mask(3, 37, 1));
      sameAsDecomposed(type, Tensor.randn(random, 37, 150));
      sameAsDecomposed(type, Tensor.randn(random, 2, 3, 1, 150).to(type));
    }
  }

  /// Each row of the mask has a source to see.
  private Tensor mask(int... sizes) {
    boolean[] sees = new boolean[Shape.of(sizes).elements()];
    int row = sizes[sizes.length - 1];
    for (int i = 0; i < sees.length; i++) {
      sees[i] = i % row == 0 || random.nextBoolean();
    }
    return Tensor.of(Shape.of(sizes), sees);
  }

  private void sameAsDecomposed(DType type, @Nullable Tensor mask) {
    Tensor query = leaf(type, 2, 3, 37, 20);
    Tensor key = leaf(type, 2, 3, 150, 20);
    Tensor value = leaf(type, 2, 3, 150, 33);
    Tensor y = Attention.scaledDotProduct(query, key, value, mask);
    Tensor expected = decomposed(query, key, value, mask);
    double tolerance = type == DType.FLOAT32 ? 1e-5 : 1e-13;
    close(y, expected, tolerance);
    Tensor gradient = Tensor.randn(random, 2, 3, 37, 33).to(type);
    List<Tensor> got = Backward.from(y, gradient).gradientsOf(query, key, value);
    List<Tensor> wanted = Backward.from(expected, gradient).gradientsOf(query, key, value);
    for (int i = 0; i < got.size(); i++) {
      close(got.get(i), wanted.get(i), 10 * tolerance);
    }
  }

  private static Tensor decomposed(Tensor query, Tensor key, Tensor value, @Nullable Tensor mask) {
    Tensor scores =
        query.scale(1 / Math.sqrt(query.shape().size(-1))).matmul(key.transpose(-2, -1));
    if (mask != null) {
      scores =
          mask.dtype() == DType.BOOL
              ? scores.maskedFill(mask.not(), Double.NEGATIVE_INFINITY)
              : scores.add(mask);
    }
    return scores.softmax(-1).matmul(value);
  }

  @Test
  void derivativesAreRight() {
    checkGradient(null, 0);
    checkGradient(Attention.causalMask(3, 4), 0.4f);
    checkGradient(Tensor.randn(random, 3, 4), 0.4f);
  }

  private void checkGradient(@Nullable Tensor mask, float dropout) {
    Tensor[] inputs = {
      Tensor.randn(random, 2, 3, 5), Tensor.randn(random, 2, 4, 5), Tensor.randn(random, 2, 4, 2)
    };
    Function<List<Tensor>, Tensor> attention =
        in ->
            Attention.scaledDotProduct(
                in.get(0), in.get(1), in.get(2), mask, dropout, new SplittableRandom(1));
    GradientCheck check = new GradientCheck(random);
    check.checkAll(attention, inputs);
    check.checkSecond(attention, inputs);
  }

  @Test
  void aTargetThatSeesNothingGetsNotANumber() {
    Tensor x = Tensor.randn(random, 2, 3, 4);
    Tensor sees = Tensor.of(Shape.of(3, 1), new boolean[] {true, false, true});
    float[] y = Attention.scaledDotProduct(x, x, x, sees).values();
    for (int i = 0; i < y.length; i++) {
      assertThat(Float.isNaN(y[i])).isEqualTo(i / 4 % 3 == 1);
    }
  }

  @Test
  void dropoutLeavesOutWeightsAndKeepsTheirMean() {
    Tensor query = Tensor.zeros(1, 300, 8);
    Tensor key = Tensor.zeros(1, 400, 8);
    Tensor ones = Tensor.ones(1, 400, 8);
    float[] y = Attention.scaledDotProduct(query, key, ones, null, 0.25f, random).values();
    double mean = 0;
    for (float value : y) {
      mean += value / y.length;
    }
    assertThat(mean).as("-Dseed=" + SEED).isCloseTo(1, within(0.01));
    assertThat(y[0]).as("-Dseed=" + SEED).isNotEqualTo(y[8]);
    assertThatThrownBy(() -> Attention.scaledDotProduct(query, key, ones, null, 1, random))
        .hasMessage("scaledDotProduct: probability 1.0 is not in [0, 1)");
  }

  @Test
  void withoutSourcesResultsAreZero() {
    Tensor none = Tensor.zeros(2, 0, 4);
    Tensor y = Attention.scaledDotProduct(Tensor.randn(random, 2, 3, 4), none, none, null);
    assertThat(y.values()).hasSize(24).containsOnly(0f);
  }

  @Test
  void headsAreAttentionOfTheirShares() {
    MultiheadAttention layer = new MultiheadAttention(6, 2, 0, random);
    Tensor x = Tensor.randn(random, 2, 5, 6);
    Tensor learning = Tensor.parameterOf(Tensor.zeros(5, 5));
    Tensor y = layer.forward(x, x, x, null);
    // A mask that learns is added to the scores of products, head by head.
    close(layer.forward(x, x, x, learning), y, 1e-5);
  }

  private Tensor leaf(DType type, int... sizes) {
    return Tensor.parameterOf(Tensor.randn(random, sizes).to(type));
  }

  private static void close(Tensor actual, Tensor expected, double tolerance) {
    assertThat(actual.shape()).isEqualTo(expected.shape());
    double[] wanted = expected.detach().to(DType.FLOAT64).doubles();
    assertThat(actual.detach().to(DType.FLOAT64).doubles())
        .as("-Dseed=" + SEED)
        .usingComparatorWithPrecision(tolerance)
        .containsExactly(wanted);
    assertThat(Arrays.stream(wanted)).isNotEmpty();
  }
}
