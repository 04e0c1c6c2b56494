// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import org.jspecify.annotations.Nullable;

/// The negative log-probabilities of yes-or-no answers, from values of which the logistic
/// function gives the probability of yes. After `torch.nn.BCEWithLogitsLoss`.
///
/// @param positiveWeight how much more yes counts, broadcast to the values, or null if the same
public record BceWithLogitsLoss(LossReduction reduction, @Nullable Tensor positiveWeight)
    implements Loss {
  /// Takes the mean; both answers count the same.
  public BceWithLogitsLoss() {
    this(LossReduction.MEAN, null);
  }

  /// The same with this reduction.
  public BceWithLogitsLoss withReduction(LossReduction reduction) {
    return new BceWithLogitsLoss(reduction, positiveWeight);
  }

  /// The same where yes counts so much more.
  public BceWithLogitsLoss withPositiveWeight(Tensor positiveWeight) {
    return new BceWithLogitsLoss(reduction, positiveWeight);
  }

  /// The loss of answers, reduced.
  ///
  /// @param wanted 1 for yes, 0 for no, or probabilities, in the logits' type
  /// @throws ShapeException if the shapes differ
  @Override
  public Tensor forward(Tensor logits, Tensor wanted) {
    Difference.requireOneShape("bceWithLogitsLoss", logits, wanted);
    Tensor one = Tensor.full(Shape.SCALAR, logits.dtype(), 1);
    Tensor yes = positiveWeight == null ? wanted : positiveWeight.to(logits.dtype()).mul(wanted);
    Tensor no = one.sub(wanted);
    Tensor above = logits.relu();
    Tensor below = logits.sub(above);
    // The weighted log(1 + exp(-|x|)), and how far x is on the wrong side. No term is below 0, so
    // that none cancels another.
    Tensor doubt = below.sub(above).softplus();
    Tensor weighted = positiveWeight == null ? doubt : yes.add(no).mul(doubt);
    return reduction.of(no.mul(above).sub(yes.mul(below)).add(weighted));
  }
}
