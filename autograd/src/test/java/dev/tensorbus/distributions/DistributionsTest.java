// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.distributions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Samples; probabilities and entropies are compared with torch's in `LayersTest`.
final class DistributionsTest {
  private static final long SEED = Long.getLong("seed", 1);
  private static final int SAMPLES = 20_000;

  private final SplittableRandom random = new SplittableRandom(SEED);

  @Test
  void aCategoricalDrawsEachClassAsOftenAsItIsProbable() {
    Tensor probabilities = Tensor.of(Shape.of(2, 3), new float[] {0.5f, 0.3f, 0.2f, 0, 1, 0});
    Categorical categorical = Categorical.ofProbabilities(probabilities);
    int[] counts = new int[3];
    for (int i = 0; i < SAMPLES; i++) {
      long[] sample = categorical.sample(random).longs();
      counts[(int) sample[0]]++;
      assertThat(sample[1]).isEqualTo(1);
    }
    // Four standard deviations of a share of 20000.
    assertThat(counts[0] / (double) SAMPLES).as("-Dseed=" + SEED).isCloseTo(0.5, within(0.015));
    assertThat(counts[1] / (double) SAMPLES).as("-Dseed=" + SEED).isCloseTo(0.3, within(0.014));
  }

  @Test
  void aNormalDrawsAroundItsMean() {
    Normal normal = new Normal(Tensor.full(Shape.of(SAMPLES), DType.FLOAT32, 3), spread());
    Tensor sample = normal.sample(random);
    double mean = sample.mean().item();
    double squares = sample.mul(sample).mean().item();
    assertThat(mean).as("-Dseed=" + SEED).isCloseTo(3, within(0.06));
    assertThat(squares - mean * mean).as("-Dseed=" + SEED).isCloseTo(4, within(0.16));
  }

  private static Tensor spread() {
    return Tensor.full(Shape.of(SAMPLES), DType.FLOAT32, 2);
  }

  @Test
  void equalGeneratorsGiveEqualSamples() {
    Categorical categorical = Categorical.ofLogits(Tensor.randn(random, 50, 7));
    assertThat(categorical.sample(new SplittableRandom(5)).longs())
        .containsExactly(categorical.sample(new SplittableRandom(5)).longs());
    Normal normal = new Normal(Tensor.zeros(50), Tensor.ones(50));
    assertThat(normal.sample(new SplittableRandom(5)).values())
        .containsExactly(normal.sample(new SplittableRandom(5)).values());
  }

  @Test
  void samplesHaveTheShapeOfTheBatch() {
    assertThat(Categorical.ofLogits(Tensor.zeros(2, 3, 4)).sample(random).shape())
        .isEqualTo(Shape.of(2, 3));
    assertThat(Categorical.ofLogits(Tensor.zeros(4)).sample(random).shape())
        .isEqualTo(Shape.SCALAR);
    assertThat(Categorical.ofLogits(Tensor.zeros(0, 4)).sample(random).shape())
        .isEqualTo(Shape.of(0));
  }

  @Test
  void whatIsImpossibleAddsNoEntropy() {
    Categorical certain = Categorical.ofProbabilities(Tensor.of(0, 1, 0));
    assertThat(certain.entropy().item()).isZero();
    assertThat(certain.logProbability(scalar(0)).item()).isEqualTo(Float.NEGATIVE_INFINITY);
  }

  private static Tensor scalar(long number) {
    return Tensor.ofStorage(Shape.SCALAR, new long[] {number});
  }

  @Test
  void gradientsGoBackThroughADifferentiableSample() {
    Tensor mean = Tensor.parameter(Shape.of(3), new float[3]);
    Tensor deviation = Tensor.parameter(Shape.of(3), new float[] {1, 2, 3});
    Normal normal = new Normal(mean, deviation);
    assertThat(normal.sample(random).requiresGrad()).isFalse();
    Tensor sample = normal.differentiableSample(random);
    sample.sum().backward();
    assertThat(Objects.requireNonNull(mean.grad()).values()).containsExactly(1, 1, 1);
    float[] noise = Objects.requireNonNull(deviation.grad()).values();
    assertThat(sample.values()[2]).isCloseTo(3 * noise[2], within(1e-6f));
  }

  @Test
  void parametersThatDoNotFitAreRefused() {
    assertThatThrownBy(() -> new Normal(Tensor.zeros(2), Tensor.ones(3)))
        .isInstanceOf(ShapeException.class)
        .hasMessage("normal: mean [2] and deviation [3] differ");
    assertThatThrownBy(() -> Categorical.ofLogits(Tensor.zeros(2, 0)))
        .isInstanceOf(ShapeException.class)
        .hasMessage("categorical: [2, 0] is not […, classes] with at least one class");
    assertThatThrownBy(
            () -> Categorical.ofLogits(Tensor.zeros(1, 3)).logProbability(Tensor.ofLongs(3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("index 3 is not in [0, 3)");
  }
}
