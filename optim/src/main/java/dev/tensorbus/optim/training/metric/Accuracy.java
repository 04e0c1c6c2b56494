// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.Tensor;

/// The share of examples whose class has the greatest score. After torchmetrics'
/// `MulticlassAccuracy` with `average="micro"`.
public final class Accuracy implements Metric {
  private long right;
  private long all;

  /// Has seen nothing.
  public Accuracy() {}

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
  /// @param scores `[n, classes]`, of any kind
  /// @param labels the true classes, int64 `[n]`
  @Override
  public void update(Tensor scores, Tensor labels) {
    Classes.requireFit("accuracy", scores, labels);
    long[] predicted = scores.argmax(1).longs();
    long[] wanted = labels.longs();
    for (int i = 0; i < wanted.length; i++) {
      right += predicted[i] == wanted[i] ? 1 : 0;
    }
    all += wanted.length;
  }

  @Override
  public double compute() {
    return (double) right / all;
  }
}
