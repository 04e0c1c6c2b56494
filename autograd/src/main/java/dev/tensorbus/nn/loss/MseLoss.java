// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// `(predicted - wanted)²`. Like `torch.nn.MseLoss`.
public record MseLoss(LossReduction reduction) implements Loss {
  /// Reduces by the mean.
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
