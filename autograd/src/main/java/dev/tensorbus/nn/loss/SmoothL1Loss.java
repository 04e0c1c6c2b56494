// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// Half the squared difference divided by `beta` if the absolute difference is less than `beta`,
/// otherwise the absolute difference minus `beta / 2`. Like `torch.nn.SmoothL1Loss`.
public record SmoothL1Loss(LossReduction reduction, double beta) implements Loss {
  /// @throws IllegalArgumentException if beta is not positive
  public SmoothL1Loss {
    if (!(beta > 0)) {
      throw new IllegalArgumentException(
          "smooth L1 loss: beta " + beta + " is not positive; use L1Loss for a beta of 0");
    }
  }

  /// Creates a loss that is reduced to the mean, with a beta of 1.
  public SmoothL1Loss() {
    this(LossReduction.MEAN, 1);
  }

  /// Returns a copy with the given reduction.
  public SmoothL1Loss withReduction(LossReduction reduction) {
    return new SmoothL1Loss(reduction, beta);
  }

  /// Returns a copy with the given beta.
  public SmoothL1Loss withBeta(double beta) {
    return new SmoothL1Loss(reduction, beta);
  }

  /// Returns the reduced loss.
  ///
  /// @throws ShapeException if the shapes differ
  @Override
  public Tensor forward(Tensor predicted, Tensor wanted) {
    Tensor size = Difference.of("smoothL1Loss", predicted, wanted).abs();
    Tensor part = size.clamp(0, beta);
    // A single product, as in HuberLoss: the gradient of a sum of a quadratic and a linear part
    // would be a difference, which loses precision if it is small.
    return reduction.of(part.scale(1 / beta).mul(size.sub(part.scale(0.5))));
  }
}
