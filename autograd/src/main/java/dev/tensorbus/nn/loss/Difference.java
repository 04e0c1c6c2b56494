// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// Differences and shape checks shared by the elementwise losses.
final class Difference {
  private Difference() {}

  /// Returns `predicted - wanted`.
  static Tensor of(String loss, Tensor predicted, Tensor wanted) {
    requireOneShape(loss, predicted, wanted);
    return predicted.sub(wanted);
  }

  /// Rejects shapes that would broadcast: a column minus a row would be a matrix, and its mean a
  /// wrong loss.
  static void requireOneShape(String loss, Tensor predicted, Tensor wanted) {
    if (!predicted.shape().equals(wanted.shape())) {
      throw new ShapeException(
          loss,
          "the shapes of predicted %s and wanted %s differ"
              .formatted(predicted.shape(), wanted.shape()));
    }
  }
}
