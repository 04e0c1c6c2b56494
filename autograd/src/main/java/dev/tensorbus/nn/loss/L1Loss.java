// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// The absolute difference `|predicted - wanted|`. Like `torch.nn.L1Loss`.
public record L1Loss(LossReduction reduction) implements Loss {
  /// Creates a loss that is reduced to the mean.
  public L1Loss() {
    this(LossReduction.MEAN);
  }

  /// Returns the reduced loss.
  ///
  /// @throws ShapeException if the shapes differ
  @Override
  public Tensor forward(Tensor predicted, Tensor wanted) {
    return reduction.of(Difference.of("l1Loss", predicted, wanted).abs());
  }
}
