// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tensorbus.autograd.Tensor;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

final class ActivationCheckpointTest {
  private final SplittableRandom random = new SplittableRandom(1);
  private final Tensor weight = Tensor.parameterOf(Tensor.randn(random, 3, 3));
  private final Tensor x = Tensor.parameterOf(Tensor.randn(random, 2, 3));

  @Test
  void resultsAndGradientsAreThoseOfThePartItself() {
    part(x).mul(x).sum().backward();
    float[] byWeight = gradient(weight);
    float[] byX = gradient(x);
    weight.zeroGrad();
    x.zeroGrad();
    ActivationCheckpoint.call(this::part, x).mul(x).sum().backward();
    assertThat(gradient(weight)).containsExactly(byWeight);
    assertThat(gradient(x)).containsExactly(byX);
  }

  @Test
  void checkpointsNest() {
    part(part(x)).sum().backward();
    float[] expected = gradient(weight);
    weight.zeroGrad();
    UnaryOperator<Tensor> inner = y -> ActivationCheckpoint.call(this::part, y);
    ActivationCheckpoint.call(y -> inner.apply(inner.apply(y)), x).sum().backward();
    assertThat(gradient(weight)).containsExactly(expected);
  }

  @Test
  void thePartIsComputedAgainInTheBackwardPassOnly() {
    AtomicInteger calls = new AtomicInteger();
    Tensor loss =
        ActivationCheckpoint.call(
                y -> {
                  calls.incrementAndGet();
                  return part(y);
                },
                x)
            .sum();
    assertThat(calls).hasValue(1);
    loss.backward();
    assertThat(calls).hasValue(2);
  }

  @Test
  void gradientsOfInputsThatNobodyWantsAreNotKept() {
    Tensor input = Tensor.randn(random, 2, 3);
    ActivationCheckpoint.call(this::part, input).sum().backward();
    assertThat(input.grad()).isNull();
    assertThat(weight.grad()).isNotNull();
  }

  @Test
  void randomnessIsRepeatedWhereTheGeneratorIsMadeInside() {
    Tensor y = ActivationCheckpoint.call(z -> z.dropout(0.5f, new SplittableRandom(7)), x);
    y.sum().backward();
    assertThat(gradient(x)).containsExactly(y.div(x).detach().values());
  }

  @Test
  void aPassThatCreatesAGraphIsRefused() {
    Tensor loss = ActivationCheckpoint.call(this::part, x).sum();
    assertThatThrownBy(() -> Backward.from(loss).createGraph().run())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage(
            "checkpoint: has no second derivative; for a pass with createGraph, compute the part"
                + " without ActivationCheckpoint");
  }

  private Tensor part(Tensor y) {
    return y.matmul(weight).tanh();
  }

  private static float[] gradient(Tensor x) {
    return Objects.requireNonNull(x.grad()).values();
  }
}
