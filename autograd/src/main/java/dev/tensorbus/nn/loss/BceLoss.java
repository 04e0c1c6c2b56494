// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.BinaryCrossEntropy;
import org.jspecify.annotations.Nullable;

/// Binary cross-entropy of probabilities. Logarithms are clamped to at least -100, so the loss is
/// finite. [BceWithLogitsLoss] is more precise near 0 and 1. Like `torch.nn.BCELoss`.
///
/// @param weight the weight of each value, broadcast to the values, or null for equal weights
public record BceLoss(LossReduction reduction, @Nullable Tensor weight) implements Loss {
  /// Creates a loss that is reduced to the mean, with equal weights.
  public BceLoss() {
    this(LossReduction.MEAN, null);
  }

  /// Returns a copy with the given reduction.
  public BceLoss withReduction(LossReduction reduction) {
    return new BceLoss(reduction, weight);
  }

  /// Returns a copy with the given weights.
  public BceLoss withWeight(Tensor weight) {
    return new BceLoss(reduction, weight);
  }

  /// Returns the reduced loss.
  ///
  /// @param wanted the targets: 1 for yes, 0 for no, or a probability; of the same type as
  ///     `probabilities`
  /// @throws ShapeException if the shapes differ
  /// @throws IllegalArgumentException if a probability is not in `[0, 1]`
  @Override
  public Tensor forward(Tensor probabilities, Tensor wanted) {
    Difference.requireOneShape("bceLoss", probabilities, wanted);
    Tensor losses = BinaryCrossEntropy.of(probabilities, wanted);
    return reduction.of(weight == null ? losses : losses.mul(weight.to(losses.dtype())));
  }
}
