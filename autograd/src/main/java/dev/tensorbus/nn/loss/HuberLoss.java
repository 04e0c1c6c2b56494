// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// Half the squared difference if the absolute difference is at most `delta`, otherwise a linear
/// function that continues it with the same slope. This is `delta` times [SmoothL1Loss] with a beta
/// of `delta`. Like `torch.nn.HuberLoss` (Huber, "Robust Estimation of a Location Parameter",
/// 1964).
public record HuberLoss(LossReduction reduction, double delta) implements Loss {
  /// @throws IllegalArgumentException if delta is not positive
  public HuberLoss {
    if (!(delta > 0)) {
      throw new IllegalArgumentException("Huber loss: delta " + delta + " is not positive");
    }
  }

  /// Creates a loss that is reduced to the mean, with a delta of 1.
  public HuberLoss() {
    this(LossReduction.MEAN, 1);
  }

  /// Returns a copy with the given reduction.
  public HuberLoss withReduction(LossReduction reduction) {
    return new HuberLoss(reduction, delta);
  }

  /// Returns a copy with the given delta.
  public HuberLoss withDelta(double delta) {
    return new HuberLoss(reduction, delta);
  }

  /// Returns the reduced loss.
  ///
  /// @throws ShapeException if the shapes differ
  @Override
  public Tensor forward(Tensor predicted, Tensor wanted) {
    Tensor size = Difference.of("huberLoss", predicted, wanted).abs();
    Tensor part = size.clamp(0, delta);
    return reduction.of(part.mul(size.sub(part.scale(0.5))));
  }
}
