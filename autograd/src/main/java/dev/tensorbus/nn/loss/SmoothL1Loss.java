// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// Half the square of the difference, over `beta`, where the difference is less than `beta`, else
/// its size less half of `beta`. After `torch.nn.SmoothL1Loss`.
public record SmoothL1Loss(LossReduction reduction, double beta) implements Loss {
  /// @throws IllegalArgumentException if beta is not positive
  public SmoothL1Loss {
    if (!(beta > 0)) {
      throw new IllegalArgumentException(
          "smooth L1 loss: beta " + beta + " is not positive; L1Loss has none");
    }
  }

  /// Takes the mean, with a beta of 1.
  public SmoothL1Loss() {
    this(LossReduction.MEAN, 1);
  }

  /// The same with this reduction.
  public SmoothL1Loss withReduction(LossReduction reduction) {
    return new SmoothL1Loss(reduction, beta);
  }

  /// The same with this beta.
  public SmoothL1Loss withBeta(double beta) {
    return new SmoothL1Loss(reduction, beta);
  }

  /// The loss of values, reduced.
  ///
  /// @throws ShapeException if the shapes differ
  @Override
  public Tensor forward(Tensor predicted, Tensor wanted) {
    Tensor size = Difference.of("smoothL1Loss", predicted, wanted).abs();
    Tensor part = size.clamp(0, beta);
    // One product, as in HuberLoss: a sum of a square and a line has a gradient of differences,
    // which loses the digits of small ones.
    return reduction.of(part.scale(1 / beta).mul(size.sub(part.scale(0.5))));
  }
}
