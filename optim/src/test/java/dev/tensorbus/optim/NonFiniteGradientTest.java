// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.SparseRows;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Linear;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Steps by gradients with values that are not finite.
class NonFiniteGradientTest {
  private static final long SEED = Long.getLong("seed", 1);

  private final RandomGenerator random = new SplittableRandom(SEED);
  private final Tensor parameter = Tensor.parameter(Shape.of(1), new float[] {1});

  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.tensorbus.optim.OptimizerTest#cases")
  void aStepByAGradientThatIsNotFiniteChangesNothing(String name, OptimizerSpec spec) {
    Linear layer = new Linear(64, 32, random);
    List<Tensor> parameters = layer.parameters();
    List<Tensor> twin = parameters.stream().map(Tensor::parameterOf).toList();
    Optimizer optimizer = spec.over(parameters);
    Optimizer expected = spec.over(twin);
    for (int step = 0; step < 3; step++) {
      Tensor weightGradient = Tensor.randn(random, 32, 64);
      Tensor biasGradient = Tensor.randn(random, 32);
      int place = random.nextInt(32);
      float value = new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}[step];
      float[] bad = biasGradient.values().clone();
      bad[place] = value;
      assertThatExceptionOfType(NonFiniteGradientException.class)
          .as("-Dseed=%d", SEED)
          .isThrownBy(
              () ->
                  optimizer.step(p -> p == parameters.getFirst() ? weightGradient : Tensor.of(bad)))
          .withMessage(
              "step: the gradient of bias float32 [32] is %s at index %d; nothing was changed."
                      .formatted(value, place)
                  + " Find the non-finite value in the loss, or skip such steps with"
                  + " setErrorIfNonFinite(false)");
      optimizer.step(p -> p == parameters.getFirst() ? weightGradient : biasGradient);
      expected.step(p -> p == twin.getFirst() ? weightGradient : biasGradient);
    }
    for (int i = 0; i < twin.size(); i++) {
      assertThat(parameters.get(i).values()).as("-Dseed=%d", SEED).isEqualTo(twin.get(i).values());
    }
  }

  @Test
  void stepsByGradientsThatAreNotFiniteAreSkippedAndCountedIfWanted() {
    Optimizer optimizer = new Sgd(1).over(List.of(parameter)).setErrorIfNonFinite(false);
    optimizer.step(_ -> Tensor.of(Float.NaN));
    optimizer.stepByMean(
        List.of(List.of(Tensor.ones(1)), List.of(Tensor.of(Float.NEGATIVE_INFINITY))));
    assertThat(parameter.item()).isEqualTo(1);
    optimizer.step(_ -> Tensor.of(Float.MAX_VALUE));
    assertThat(parameter.item()).isEqualTo(-Float.MAX_VALUE);
    assertThat(optimizer.skippedSteps()).isEqualTo(2);
  }

  @Test
  void findsTheOneValueThatIsNotFiniteAmongMany() {
    for (int size : new int[] {1, 1023, 1024, 1025, 5000}) {
      Tensor large = Tensor.parameterOf(Tensor.zeros(size));
      Tensor wide = Tensor.parameterOf(large.detach().to(DType.FLOAT64));
      Optimizer optimizer = new Sgd(1).over(List.of(large, wide));
      int place = random.nextInt(size);
      float[] values = new float[size];
      values[place] = Float.NaN;
      Tensor gradient = Tensor.of(values);
      assertThatExceptionOfType(NonFiniteGradientException.class)
          .as("-Dseed=%d", SEED)
          .isThrownBy(() -> optimizer.step(p -> p == large ? gradient : null))
          .withMessageContaining("parameter 0 float32 [%d] is NaN at index %d;", size, place);
      assertThatExceptionOfType(NonFiniteGradientException.class)
          .as("-Dseed=%d", SEED)
          .isThrownBy(() -> optimizer.step(p -> p == wide ? gradient.to(DType.FLOAT64) : null))
          .withMessageContaining("parameter 1 float64 [%d] is NaN at index %d;", size, place);
    }
  }

  @Test
  void largeFiniteGradientsWhoseSumIsInfiniteAreTaken() {
    Tensor large = Tensor.parameterOf(Tensor.zeros(2000));
    Tensor gradient = Tensor.full(large.shape(), DType.FLOAT32, Float.MAX_VALUE);
    new Sgd(0.5).over(List.of(large)).step(_ -> gradient);
    assertThat(large.values()).containsOnly(-Float.MAX_VALUE / 2);
  }

  @Test
  void aSparseGradientThatIsNotFiniteIsRefused() {
    Tensor table = Tensor.parameterOf(Tensor.ones(4, 2));
    Tensor sparse =
        Tensor.ofRows(
            new SparseRows(
                table.shape(), new int[] {3}, Tensor.full(Shape.of(1, 2), DType.FLOAT32, 0f / 0)));
    assertThatExceptionOfType(NonFiniteGradientException.class)
        .isThrownBy(() -> new Sgd(1).over(List.of(table)).step(_ -> sparse))
        .withMessageContaining("parameter 0 float32 [4, 2] is NaN at index 6;");
    assertThat(table.values()).containsOnly(1);
  }
}
