// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import org.jspecify.annotations.Nullable;

/// Binary cross-entropy of logits, whose sigmoids are the probabilities. Like
/// `torch.nn.BCEWithLogitsLoss`.
///
/// @param positiveWeight the weight of positive targets, broadcast to the values, or null for 1
public record BceWithLogitsLoss(LossReduction reduction, @Nullable Tensor positiveWeight)
    implements Loss {
  /// Creates a loss that is reduced to the mean, with equal weights.
  public BceWithLogitsLoss() {
    this(LossReduction.MEAN, null);
  }

  /// Returns a copy with the given reduction.
  public BceWithLogitsLoss withReduction(LossReduction reduction) {
    return new BceWithLogitsLoss(reduction, positiveWeight);
  }

  /// Returns a copy with the given weight of positive targets.
  public BceWithLogitsLoss withPositiveWeight(Tensor positiveWeight) {
    return new BceWithLogitsLoss(reduction, positiveWeight);
  }

  /// Returns the reduced loss.
  ///
  /// @param wanted the targets: 1 for yes, 0 for no, or a probability; of the same type as the
  ///     logits
  /// @throws ShapeException if the shapes differ
  @Override
  public Tensor forward(Tensor logits, Tensor wanted) {
    Difference.requireOneShape("bceWithLogitsLoss", logits, wanted);
    Tensor one = Tensor.full(Shape.SCALAR, logits.dtype(), 1);
    Tensor yes = positiveWeight == null ? wanted : positiveWeight.to(logits.dtype()).mul(wanted);
    Tensor no = one.sub(wanted);
    Tensor above = logits.relu();
    Tensor below = logits.sub(above);
    // The weighted log(1 + exp(-|x|)), plus |x| if x has the wrong sign. No term is negative, so
    // there is no cancellation.
    Tensor doubt = below.sub(above).softplus();
    Tensor weighted = positiveWeight == null ? doubt : yes.add(no).mul(doubt);
    return reduction.of(no.mul(above).sub(yes.mul(below)).add(weighted));
  }
}
