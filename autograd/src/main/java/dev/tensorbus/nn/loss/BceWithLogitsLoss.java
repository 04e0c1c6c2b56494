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
public record BceWithLogitsLoss(Reduction reduction, @Nullable Tensor positiveWeight) {
  /// Takes the mean; both answers count the same.
  public BceWithLogitsLoss() {
    this(Reduction.MEAN, null);
  }

  /// The same with this reduction.
  public BceWithLogitsLoss withReduction(Reduction reduction) {
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
  public Tensor forward(Tensor logits, Tensor wanted) {
    Difference.requireOneShape("bceWithLogitsLoss", logits, wanted);
    Tensor one = Tensor.full(Shape.SCALAR, logits.dtype(), 1);
    // log(1 + exp(-x)) is how far the logistic function of x is from yes, and x more from no.
    Tensor fromYes = logits.neg().softplus();
    Tensor weight =
        positiveWeight == null
            ? one
            : positiveWeight.to(logits.dtype()).sub(one).mul(wanted).add(one);
    return reduction.of(one.sub(wanted).mul(logits).add(weight.mul(fromYes)));
  }
}
