// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Losses at the ends of their range; ordinary values are compared with torch's in `LayersTest`.
final class LossesTest {
  private static final float INFINITY = Float.POSITIVE_INFINITY;

  @Test
  void whatIsIgnoredMayBeImpossible() {
    Tensor x = Tensor.parameter(Shape.of(2, 2), new float[] {-1, -2, -INFINITY, 0});
    Tensor loss = new NllLoss().withIgnoreIndex(0).forward(x, Tensor.ofLongs(1, 0));
    loss.backward();
    assertThat(loss.item()).isEqualTo(2);
    assertThat(Objects.requireNonNull(x.grad()).values()).containsExactly(0, -1, 0, 0);
  }

  @Test
  void whatIsImpossibleAndWantedIsInfinite() {
    Tensor x = Tensor.of(Shape.of(1, 2), new float[] {0, -INFINITY});
    assertThat(new CrossEntropyLoss().forward(x, Tensor.ofLongs(1)).item()).isEqualTo(INFINITY);
    assertThat(new CrossEntropyLoss().forward(x, Tensor.ofLongs(0)).item()).isZero();
  }

  @Test
  void theMeanOverRowsIsThatOfEqualWeights() {
    Tensor x = Tensor.parameterOf(Tensor.randn(new SplittableRandom(1), 5, 7));
    Tensor labels = Tensor.ofLongs(6, 0, 3, 3, 1);
    Tensor plain = new CrossEntropyLoss().forward(x, labels);
    Tensor weighted = new CrossEntropyLoss().withWeight(Tensor.ones(7)).forward(x, labels);
    assertThat(plain.item()).isCloseTo(weighted.item(), within(1e-6f));
    assertThat(gradient(plain, x).values())
        .containsExactly(gradient(weighted, x).values(), within(1e-6f));
  }

  private static Tensor gradient(Tensor loss, Tensor x) {
    return Objects.requireNonNull(Backward.from(loss).gradientsOf(x).getFirst());
  }

  @Test
  void theMeanOfNothingThatCountsIsNoNumber() {
    Tensor x = Tensor.zeros(2, 3);
    Tensor ignored = Tensor.ofLongs(-100, -100);
    assertThat(new CrossEntropyLoss().forward(x, ignored).item()).isNaN();
    LossReduction sum = LossReduction.SUM;
    assertThat(new CrossEntropyLoss().withReduction(sum).forward(x, ignored).item()).isZero();
  }

  @Test
  void aYesOrNoFarFromTheTruthHasAFiniteLossAndGradient() {
    Tensor x = Tensor.parameter(Shape.of(4), new float[] {1000, -1000, 1000, -1000});
    BceWithLogitsLoss loss = new BceWithLogitsLoss().withReduction(LossReduction.NONE);
    Tensor losses = loss.forward(x, Tensor.of(0, 1, 1, 0));
    losses.sum().backward();
    assertThat(losses.values()).containsExactly(1000, 1000, 0, 0);
    assertThat(Objects.requireNonNull(x.grad()).values()).containsExactly(1, -1, 0, 0);
  }

  @Test
  void whatIsNotWantedAddsNoDivergence() {
    Tensor predicted = Tensor.of((float) Math.log(0.5), -INFINITY);
    KlDivLoss loss = new KlDivLoss().withReduction(LossReduction.SUM);
    Tensor half = Tensor.of((float) Math.log(0.5), (float) Math.log(0.5));
    assertThat(loss.forward(half, Tensor.of(1, 0)).item()).isEqualTo((float) Math.log(2));
    assertThat(loss.forward(predicted, Tensor.of(0, 1)).item()).isEqualTo(INFINITY);
  }

  @Test
  void aProbabilityOfNothingHasAFiniteLossAndGradient() {
    Tensor p = Tensor.parameter(Shape.of(4), new float[] {0, 1, 0, 1});
    Tensor losses =
        new BceLoss().withReduction(LossReduction.NONE).forward(p, Tensor.of(0, 1, 1, 0));
    losses.sum().backward();
    assertThat(losses.values()).containsExactly(new float[] {0, 0, 100, 100}, within(0f));
    assertThat(Objects.requireNonNull(p.grad()).values()).containsExactly(0, 0, -1e12f, 1e12f);
  }

  @Test
  void aTargetThatIsTooLongIsImpossible() {
    Tensor x = Tensor.parameter(Shape.of(2, 1, 2), new float[] {-1, -2, -3, -4});
    Tensor target = Tensor.ofLongs(1, 1).reshape(1, 2);
    CtcLoss loss = new CtcLoss();
    Tensor two = Tensor.ofLongs(2);
    assertThat(loss.forward(x, target, two, two).item()).isEqualTo(INFINITY);
    Tensor nothing = loss.withZeroInfinity(true).forward(x, target, two, two);
    nothing.backward();
    assertThat(nothing.item()).isZero();
    assertThat(Objects.requireNonNull(x.grad()).values()).containsOnly(0);
    // No step spells no label, and nothing else.
    Tensor none = Tensor.ofLongs(0);
    assertThat(loss.forward(x, target, none, none).item()).isZero();
    assertThat(loss.forward(x, target, none, two).item()).isEqualTo(INFINITY);
  }
}
