// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.BinaryCrossEntropy;
import org.jspecify.annotations.Nullable;

/// The negative log-probabilities of yes-or-no answers, from probabilities of yes. A logarithm
/// below -100 counts as -100, so no loss is infinite. [BceWithLogitsLoss] loses no digits beside 0
/// and 1. After `torch.nn.BCELoss`.
///
/// @param weight how much each answer counts, broadcast to the values, or null if the same
public record BceLoss(LossReduction reduction, @Nullable Tensor weight) implements Loss {
  /// Takes the mean; all answers count the same.
  public BceLoss() {
    this(LossReduction.MEAN, null);
  }

  /// The same with this reduction.
  public BceLoss withReduction(LossReduction reduction) {
    return new BceLoss(reduction, weight);
  }

  /// The same where answers count so much.
  public BceLoss withWeight(Tensor weight) {
    return new BceLoss(reduction, weight);
  }

  /// The loss of answers, reduced.
  ///
  /// @param wanted 1 for yes, 0 for no, or probabilities, in the type of `probabilities`
  /// @throws ShapeException if the shapes differ
  /// @throws IllegalArgumentException if a probability is not in `[0, 1]`
  @Override
  public Tensor forward(Tensor probabilities, Tensor wanted) {
    Difference.requireOneShape("bceLoss", probabilities, wanted);
    Tensor losses = BinaryCrossEntropy.of(probabilities, wanted);
    return reduction.of(weight == null ? losses : losses.mul(weight.to(losses.dtype())));
  }
}
