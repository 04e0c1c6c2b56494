// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.Tensor;

/// A metric of predictions, accumulated over batches. Like the metrics of torchmetrics.
///
/// Not thread-safe.
public interface Metric {
  /// Returns the name of the metric in results and logs.
  String name();

  /// Discards all accumulated batches.
  void reset();

  /// Adds a batch.
  ///
  /// @param predicted the network's output
  /// @param wanted the targets, one per row of the output
  /// @throws dev.tensorbus.autograd.ShapeException if the shapes are incompatible
  void update(Tensor predicted, Tensor wanted);

  /// Returns the metric over all batches since the last [#reset]; NaN if there are none.
  double compute();
}
