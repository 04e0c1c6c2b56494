// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.distributions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
    float impossible = Float.NEGATIVE_INFINITY;
    Categorical certain = Categorical.ofLogits(Tensor.of(impossible, 0, impossible));
    assertThat(certain.entropy().item()).isZero();
    assertThat(certain.probabilities().values()).containsExactly(0, 1, 0);
    assertThat(certain.logProbability(scalar(0)).item()).isEqualTo(impossible);
  }

  /// Values of torch 1.13.
  @Test
  void impossibleClassesHaveFiniteGradients() {
    Tensor p = Tensor.parameter(Shape.of(3), new float[] {0.5f, 0.5f, 0});
    Categorical categorical = Categorical.ofProbabilities(p);
    assertThat(categorical.probabilities().values()).containsExactly(0.5f, 0.5f, 0);
    assertThat(categorical.entropy().item()).isCloseTo(0.6931f, within(1e-4f));
    assertThat(gradient(categorical.entropy(), p))
        .containsExactly(new float[] {0, 0, 16.2492f}, within(1e-4f));
    assertThat(gradient(categorical.logProbability(scalar(1)), p)).containsExactly(-1, 1, -1);
    assertThat(categorical.logProbability(scalar(2)).item()).isCloseTo(-15.9424f, within(1e-4f));
    Tensor wide = Tensor.parameterOf(Tensor.ofDoubles(0.5, 0.5, 0));
    Tensor none = Categorical.ofProbabilities(wide).logProbability(scalar(2));
    assertThat(none.doubles()[0]).isEqualTo(Math.log(Math.ulp(1.0)));
  }

  @Test
  void aPolicyThatBecomesCertainKeepsFiniteGradients() {
    Tensor logits = Tensor.parameter(Shape.of(2), new float[] {0, 200});
    for (Categorical certain :
        List.of(Categorical.ofProbabilities(logits.softmax(0)), Categorical.ofLogits(logits))) {
      assertThat(certain.probabilities().values()).containsExactly(0, 1);
      assertThat(certain.entropy().item()).isCloseTo(0, within(1.2e-7f));
      assertThat(gradient(certain.entropy(), logits)).containsExactly(0, 0);
      assertThat(gradient(certain.logProbability(scalar(1)), logits)).containsExactly(0, 0);
    }
    Tensor masked = Tensor.parameter(Shape.of(2), new float[] {0, Float.NEGATIVE_INFINITY});
    assertThat(gradient(Categorical.ofLogits(masked).entropy(), masked)).containsExactly(0, 0);
  }

  private static float[] gradient(Tensor y, Tensor x) {
    float[] gradient =
        Objects.requireNonNull(Backward.from(y).gradientsOf(x).getFirst()).values().clone();
    for (int i = 0; i < gradient.length; i++) {
      gradient[i] += 0f; // no -0
    }
    return gradient;
  }

  @Test
  void whatIsNoDistributionIsRefused() {
    refused(
        () -> Categorical.ofProbabilities(Tensor.of(0.5f, -0.25f, 0.75f)),
        "categorical: the probability at index 1 is -0.25; expected 0 or more");
    refused(
        () -> Categorical.ofProbabilities(Tensor.of(0.5f, Float.NaN)),
        "categorical: the probability at index 1 is NaN; expected 0 or more");
    refused(
        () -> Categorical.ofProbabilities(Tensor.zeros(2, 3)),
        "categorical: the probabilities of row 0 sum to 0.0; expected a finite sum above 0");
    String noSoftmax =
        "categorical: the logits of row 1 have no softmax; expected no NaN or Infinity,"
            + " and at least one value above -Infinity";
    float infinity = Float.POSITIVE_INFINITY;
    for (float wrong : new float[] {Float.NaN, infinity}) {
      Tensor logits = Tensor.of(Shape.of(2, 2), new float[] {1, 2, 3, wrong});
      refused(() -> Categorical.ofLogits(logits), noSoftmax);
    }
    Tensor nothing = Tensor.of(Shape.of(2, 2), new float[] {1, 2, -infinity, -infinity});
    refused(() -> Categorical.ofLogits(nothing), noSoftmax);
    refused(
        () -> new Normal(Tensor.zeros(2), Tensor.of(1, 0)),
        "normal: mean 0.0 and deviation 0.0 at index 1; expected a mean that is not NaN and a"
            + " deviation above 0");
    refused(
        () -> new Normal(Tensor.of(Float.NaN), Tensor.of(1)),
        "normal: mean NaN and deviation 1.0 at index 0; expected a mean that is not NaN and a"
            + " deviation above 0");
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  private static Tensor scalar(long number) {
    return Tensor.of(Shape.SCALAR, new long[] {number});
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
        .hasMessage("normal: the shapes of mean [2] and deviation [3] differ");
    assertThatThrownBy(() -> Categorical.ofLogits(Tensor.zeros(2, 0)))
        .isInstanceOf(ShapeException.class)
        .hasMessage("categorical: [2, 0] is not […, classes] with at least one class");
    assertThatThrownBy(
            () -> Categorical.ofLogits(Tensor.zeros(1, 3)).logProbability(Tensor.ofLongs(3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("index 3 is not in [0, 3)");
  }
}
