// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// The squared difference `(predicted - wanted)²`. Like `torch.nn.MSELoss`.
public record MseLoss(LossReduction reduction) implements Loss {
  /// Creates a loss that is reduced to the mean.
  public MseLoss() {
    this(LossReduction.MEAN);
  }

  /// Returns the reduced loss.
  ///
  /// @throws ShapeException if the shapes differ
  @Override
  public Tensor forward(Tensor predicted, Tensor wanted) {
    Tensor difference = Difference.of("mseLoss", predicted, wanted);
    return reduction.of(difference.mul(difference));
  }
}
