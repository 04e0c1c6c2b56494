// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.Tensor;

/// The macro F1 score: the mean of the classes' F1 scores, each the harmonic mean of precision and
/// recall. Suited to imbalanced classes. Like scikit-learn's `f1_score(average="macro")`.
public final class F1Score implements LabelMetric {
  private final int classes;
  private final long ignoreIndex;
  private ConfusionMatrix matrix;

  /// Creates a score that ignores the label -100.
  public F1Score(int classes) {
    this(classes, Classes.IGNORED);
  }

  private F1Score(int classes, long ignoreIndex) {
    this.classes = classes;
    this.ignoreIndex = ignoreIndex;
    this.matrix = empty();
  }

  private ConfusionMatrix empty() {
    return new ConfusionMatrix(classes).withIgnoreIndex(ignoreIndex);
  }

  /// Returns an empty copy that ignores another label.
  public F1Score withIgnoreIndex(long ignoreIndex) {
    return new F1Score(classes, ignoreIndex);
  }

  @Override
  public long ignoreIndex() {
    return ignoreIndex;
  }

  @Override
  public String name() {
    return "f1";
  }

  @Override
  public void reset() {
    matrix = empty();
  }

  /// Adds a batch.
  ///
  /// @param scores `[n, classes]`: logits, probabilities or log-probabilities
  /// @param labels the true classes, int64 `[n]`
  @Override
  public void update(Tensor scores, Tensor labels) {
    matrix.update(scores, labels);
  }

  @Override
  public double compute() {
    return matrix.macroF1();
  }
}
