// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Backward;
import dev.tensorbus.nn.functional.Losses;
import java.util.Arrays;
import java.util.List;
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

  /// torch's gradient of such a row is NaN.
  @Test
  void scoresOfWhatIsIgnoredMayBeInfinite() {
    for (float score : new float[] {INFINITY, -INFINITY, Float.NaN}) {
      for (int rows : new int[] {1, 2}) { // alone in the kernel, or with others
        Tensor all = Tensor.of(Shape.of(2, 2), new float[] {0, score, 1, 1});
        Tensor x = Tensor.parameterOf(all.slice(0, 0, rows));
        Tensor labels = Tensor.ofLongs(-100, 1).slice(0, 0, rows);
        CrossEntropyLoss loss = new CrossEntropyLoss().withReduction(LossReduction.SUM);
        float[] expected = {0, 0, 0.5f, -0.5f};
        assertThat(gradient(loss.forward(x, labels), x).values())
            .containsExactly(Arrays.copyOf(expected, 2 * rows), within(1e-6f));
        Backward graph = Backward.from(loss.forward(x, labels)).createGraph();
        assertThat(Objects.requireNonNull(graph.gradientsOf(x).getFirst()).values())
            .containsExactly(Arrays.copyOf(expected, 2 * rows), within(1e-6f));
      }
    }
  }

  /// torch's loss is NaN here: its weight of 0 meets an infinite loss.
  @Test
  void aClassWithoutWeightMayBeImpossible() {
    Tensor x = Tensor.parameter(Shape.of(2, 2), new float[] {-INFINITY, 0, 0, 0});
    NllLoss loss = new NllLoss().withWeight(Tensor.of(0, 1));
    Tensor mean = loss.forward(x, Tensor.ofLongs(0, 1));
    assertThat(mean.item()).isZero();
    assertThat(gradient(mean, x).values()).containsExactly(new float[] {0, 0, 0, -1}, within(0f));
    Tensor scores = Tensor.parameterOf(x.detach());
    CrossEntropyLoss entropy = new CrossEntropyLoss().withWeight(Tensor.of(0, 1));
    Tensor ofScores = entropy.forward(scores, Tensor.ofLongs(0, 1));
    assertThat(ofScores.item()).isCloseTo((float) Math.log(2), within(1e-6f));
    assertThat(gradient(ofScores, scores).values())
        .containsExactly(new float[] {0, 0, 0.5f, -0.5f}, within(1e-6f));
  }

  @Test
  void theGradientOfASmoothLossKeepsItsDigitsBesideSmallDifferences() {
    Tensor predicted = Tensor.parameter(Shape.of(3), new float[] {1.5e-4f, -3e-6f, 2});
    for (double beta : new double[] {1, 0.1, 7}) {
      SmoothL1Loss loss = new SmoothL1Loss(LossReduction.SUM, beta);
      float[] slopes = gradient(loss.forward(predicted, Tensor.zeros(3)), predicted).values();
      assertThat(slopes[0]).isCloseTo((float) (1.5e-4 / beta), withinPercentage(1e-4));
      assertThat(slopes[1]).isCloseTo((float) (-3e-6 / beta), withinPercentage(1e-4));
      assertThat(slopes[2]).isCloseTo((float) Math.min(1, 2 / beta), within(1e-6f));
    }
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

  /// Losses of scores `[n, 3]` and labels, and of values of one shape.
  private static final List<Loss> MEANS =
      List.of(
          new CrossEntropyLoss(),
          new CrossEntropyLoss().withWeight(Tensor.of(1, 2, 10)),
          new CrossEntropyLoss().withWeight(Tensor.of(1, 2, 10)).withLabelSmoothing(0.1),
          new CrossEntropyLoss().withReduction(LossReduction.BATCH_MEAN),
          new NllLoss(),
          new NllLoss().withWeight(Tensor.of(1, 2, 10)),
          new MseLoss(),
          new L1Loss(),
          new HuberLoss(),
          new SmoothL1Loss(),
          new BceWithLogitsLoss().withPositiveWeight(Tensor.of(3)),
          new KlDivLoss(),
          new KlDivLoss().withReduction(LossReduction.BATCH_MEAN),
          Losses::mseLoss);

  @Test
  void theWeightedMeanOfPartsIsTheLossOfAll() {
    Tensor x = Tensor.randn(new SplittableRandom(1), 6, 3).to(DType.FLOAT64);
    Tensor labels = Tensor.ofLongs(0, 1, 2, 1, -100, 2);
    Tensor values = Tensor.randn(new SplittableRandom(2), 6, 3).sigmoid().to(DType.FLOAT64);
    for (Loss loss : MEANS) {
      boolean isOfLabels = loss instanceof CrossEntropyLoss || loss instanceof NllLoss;
      Tensor wanted = isOfLabels ? labels : values;
      double sum = 0;
      double weight = 0;
      for (int[] part : new int[][] {{0, 1}, {1, 4}, {4, 6}}) {
        Tensor some = wanted.slice(0, part[0], part[1]);
        sum += loss.forward(x.slice(0, part[0], part[1]), some).itemDouble() * loss.weight(some);
        weight += loss.weight(some);
      }
      assertThat(weight).as("%s", loss).isEqualTo(loss.weight(wanted));
      assertThat(sum / weight)
          .as("%s", loss)
          .isCloseTo(loss.forward(x, wanted).itemDouble(), within(1e-7));
    }
  }

  @Test
  void whatDoesNotCountHasNoWeight() {
    Loss loss = new CrossEntropyLoss().withWeight(Tensor.of(1, 2, 10));
    assertThat(loss.weight(Tensor.ofLongs(-100, 2, 1, -100))).isEqualTo(12);
    assertThat(loss.weight(Tensor.ofLongs(-100, -100))).isZero();
    assertThat(new NllLoss().weight(Tensor.ofLongs(-100))).isZero();
    assertThatThrownBy(() -> loss.weight(Tensor.ofLongs(0, 3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("loss: label 3 is not a class index from 0 to 2");
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
    // torch's loss is NaN in these two: 0 meets an infinite logarithm.
    Tensor certain = Tensor.parameter(Shape.of(2), new float[] {0, -INFINITY});
    Tensor none = loss.forward(certain, Tensor.of(1, 0));
    assertThat(none.item()).isZero();
    assertThat(gradient(none, certain).values()).containsExactly(new float[] {-1, 0}, within(0f));
    Tensor ofLogarithms = loss.withLogTarget().forward(certain, certain.detach());
    assertThat(ofLogarithms.item()).isZero();
    assertThat(gradient(ofLogarithms, certain).values())
        .containsExactly(new float[] {-1, 0}, within(0f));
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
