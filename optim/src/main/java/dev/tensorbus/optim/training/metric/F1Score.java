// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.Tensor;

/// The mean over all classes of the harmonic mean of precision and recall: for classes of uneven
/// size. After scikit-learn's `f1_score(average="macro")`.
public final class F1Score implements Metric {
  private final int classes;
  private ConfusionMatrix matrix;

  /// Has seen nothing.
  public F1Score(int classes) {
    this.classes = classes;
    this.matrix = new ConfusionMatrix(classes);
  }

  @Override
  public String name() {
    return "f1";
  }

  @Override
  public void reset() {
    matrix = new ConfusionMatrix(classes);
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
