// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.metric;

import dev.tensorbus.autograd.Tensor;

/// A measure of predictions that is taken over many batches. After the package torchmetrics.
///
/// Not for several threads at once.
public interface Metric {
  /// The name under which results and logs have it.
  String name();

  /// Forgets all batches.
  void reset();

  /// Adds a batch.
  ///
  /// @param predicted the network's result
  /// @param wanted the targets, of which one belongs to each row of the result
  /// @throws dev.tensorbus.autograd.ShapeException if the shapes do not fit
  void update(Tensor predicted, Tensor wanted);

  /// The measure of all batches since [#reset]; NaN if there are none.
  double compute();
}
