// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// Checks scores of classes and the labels that belong to them.
final class Classes {
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
}
