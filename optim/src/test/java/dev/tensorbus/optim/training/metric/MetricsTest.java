// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tensorbus.autograd.Tensor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The values are those of scikit-learn's documentation, or counted by hand.
final class MetricsTest {
  /// Scores whose greatest is that of the class given.
  private static Tensor scores(int classes, int... predicted) {
    float[] scores = new float[predicted.length * classes];
    IntStream.range(0, predicted.length).forEach(i -> scores[i * classes + predicted[i]] = 1);
    return Tensor.of(scores).reshape(predicted.length, classes);
  }

  @Test
  void accuracyIsTheShareOfAllBatches() {
    Accuracy accuracy = new Accuracy();
    assertThat(accuracy.compute()).isNaN();
    accuracy.update(scores(3, 0, 1, 2), Tensor.ofLongs(0, 1, 1));
    accuracy.update(scores(3, 2), Tensor.ofLongs(2));
    assertThat(accuracy.compute()).isEqualTo(0.75);
    accuracy.reset();
    accuracy.update(scores(3, 2), Tensor.ofLongs(1));
    assertThat(accuracy.compute()).isZero();
  }

  @Test
  void scoresThatAreNotOfClassesAreRefused() {
    assertThatThrownBy(() -> new Accuracy().update(Tensor.zeros(3), Tensor.ofLongs(0, 1, 1)))
        .hasMessage(
            "accuracy: scores [3] and labels [3] do not fit; expected [n, classes] and [n]");
    assertThatThrownBy(() -> new F1Score(2).update(Tensor.zeros(1, 3), Tensor.ofLongs(0)))
        .hasMessage("confusion matrix: scores [1, 3] do not have 2 classes");
    assertThatThrownBy(() -> new F1Score(3).update(Tensor.zeros(1, 3), Tensor.ofLongs(3)))
        .hasMessage("confusion matrix: label 3 of example 0 is not in 0 to 2; see withIgnoreIndex");
  }

  @Test
  void f1IsScikitLearnsMacroAverage() {
    F1Score f1 = new F1Score(3);
    assertThat(f1.compute()).isNaN();
    f1.update(scores(3, 0, 2, 1, 0, 0, 1), Tensor.ofLongs(0, 1, 2, 0, 1, 2));
    assertThat(f1.compute()).isCloseTo(0.26666, within(1e-5));
    f1.reset();
    assertThat(f1.compute()).isNaN();
  }

  @Test
  void aMatrixCountsTrueClassesByRow() {
    ConfusionMatrix matrix = new ConfusionMatrix(3);
    matrix.update(scores(3, 0, 0, 2, 2, 0, 2), Tensor.ofLongs(2, 0, 2, 2, 0, 1));
    assertThat(matrix.counts()).isDeepEqualTo(new long[][] {{2, 0, 0}, {0, 0, 1}, {1, 0, 2}});
    assertThat(matrix.recall(2)).isCloseTo(2.0 / 3, within(1e-12));
    assertThat(matrix.precision(0)).isCloseTo(2.0 / 3, within(1e-12));
    assertThat(matrix.precision(1)).isNaN();
    assertThat(matrix.f1(1)).isZero();
    assertThat(matrix.toString().lines())
        .containsExactly("  2   0   0", "  0   0   1", "  1   0   2");
  }

  @Test
  void aurocIsTheChanceThatAPositiveStandsHigher() {
    Auroc auroc = new Auroc();
    auroc.update(Tensor.of(0.1f, 0.4f), Tensor.ofLongs(0, 0));
    auroc.update(Tensor.of(0.35f, 0.8f), Tensor.ofLongs(1, 1));
    assertThat(auroc.compute()).isEqualTo(0.75);
    auroc.reset();
    auroc.update(Tensor.of(1, 1, 1), Tensor.ofLongs(0, 1, 1));
    assertThat(auroc.compute()).isEqualTo(0.5);
    auroc.reset();
    auroc.update(Tensor.of(1, 2), Tensor.ofLongs(1, 1));
    assertThat(auroc.compute()).isNaN();
  }

  @Test
  void aurocRefusesTargetsOfManyClassesAndScoresThatAreNoNumbers() {
    assertThatThrownBy(() -> new Auroc().update(Tensor.of(1), Tensor.ofLongs(2)))
        .hasMessage(
            "auroc: example 0 has score 1.0 and target 2.0; expected a number, and 0 or 1 as"
                + " target");
    assertThatThrownBy(() -> new Auroc().update(Tensor.of(Float.NaN), Tensor.ofLongs(1)))
        .hasMessageContaining("score NaN");
  }

  @Test
  void perplexityOfGuessesIsTheNumberOfTokens() {
    Perplexity perplexity = new Perplexity();
    perplexity.update(Tensor.zeros(3, 8), Tensor.ofLongs(0, 5, 7));
    perplexity.update(Tensor.zeros(1, 8), Tensor.ofLongs(2));
    assertThat(perplexity.compute()).isCloseTo(8, within(1e-5));
    perplexity.reset();
    assertThat(perplexity.compute()).isNaN();
    perplexity.add(Math.log(2), 3);
    perplexity.add(Math.log(32), 1);
    assertThat(perplexity.compute()).isCloseTo(4, within(1e-9));
  }
}
