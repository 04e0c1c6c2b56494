// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.Tensor;

/// The mean over all classes of the harmonic mean of precision and recall: for classes of uneven
/// size. After scikit-learn's `f1_score(average="macro")`.
public final class F1Score implements LabelMetric {
  private final int classes;
  private final long ignoreIndex;
  private ConfusionMatrix matrix;

  /// Has seen nothing; the label -100 does not count.
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

  /// Returns a new one where this label does not count.
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
  /// @param scores `[n, classes]`, of any kind
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
