// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// Checks the scores and labels that are given to metrics.
final class Classes {
  /// The label that losses ignore by default.
  static final long IGNORED = -100;

  private Classes() {}

  static void requireFit(String metric, Tensor scores, Tensor labels) {
    boolean fits =
        scores.shape().rank() == 2
            && labels.shape().rank() == 1
            && scores.shape().size(0) == labels.shape().size(0);
    if (!fits) {
      throw new ShapeException(
          metric,
          "scores %s and labels %s do not fit; expected [n, classes] and [n]"
              .formatted(scores.shape(), labels.shape()));
    }
  }

  /// Checks the label of an example, and returns it as an int.
  ///
  /// @param index index of the example, for the error message
  /// @throws IllegalArgumentException if the label is not in `[0, classes)`
  static int requireClass(String metric, long label, int index, int classes) {
    if (label < 0 || label >= classes) {
      throw new IllegalArgumentException(
          "%s: label %d of example %d is not in 0 to %d; see withIgnoreIndex"
              .formatted(metric, label, index, classes - 1));
    }
    return (int) label;
  }
}
