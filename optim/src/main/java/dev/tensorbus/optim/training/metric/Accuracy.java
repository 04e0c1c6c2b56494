// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.Tensor;

/// The fraction of examples for which the true class has the highest score. Like torchmetrics'
/// `MulticlassAccuracy` with `average="micro"`.
public final class Accuracy implements LabelMetric {
  private final long ignoreIndex;
  private long right;
  private long all;

  /// Creates an accuracy metric that ignores the label -100.
  public Accuracy() {
    this(Classes.IGNORED);
  }

  private Accuracy(long ignoreIndex) {
    this.ignoreIndex = ignoreIndex;
  }

  /// Returns an empty copy that ignores another label.
  public Accuracy withIgnoreIndex(long ignoreIndex) {
    return new Accuracy(ignoreIndex);
  }

  @Override
  public long ignoreIndex() {
    return ignoreIndex;
  }

  @Override
  public String name() {
    return "accuracy";
  }

  @Override
  public void reset() {
    right = 0;
    all = 0;
  }

  /// Adds a batch.
  ///
  /// @param scores `[n, classes]`: logits, probabilities or log-probabilities
  /// @param labels the true classes, int64 `[n]`
  /// @throws IllegalArgumentException if a label is neither a class nor the ignored label
  @Override
  public void update(Tensor scores, Tensor labels) {
    Classes.requireFit("accuracy", scores, labels);
    long[] predicted = scores.argmax(1).longs();
    long[] wanted = labels.longs();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i] != ignoreIndex) {
        int label = Classes.requireClass("accuracy", wanted[i], i, scores.shape().size(1));
        right += predicted[i] == label ? 1 : 0;
        all++;
      }
    }
  }

  @Override
  public double compute() {
    return (double) right / all;
  }
}
