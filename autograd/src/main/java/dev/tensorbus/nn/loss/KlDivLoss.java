// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// The Kullback-Leibler divergence of predicted log-probabilities from wanted probabilities:
/// `wanted * (log(wanted) - predicted)`, or 0 if the wanted probability is 0. Kullback and Leibler,
/// "On Information and Sufficiency" (1951). Like `torch.nn.KLDivLoss`.
///
/// @param logTarget whether the wanted values are log-probabilities, too
public record KlDivLoss(LossReduction reduction, boolean logTarget) implements Loss {
  /// Creates a loss that is reduced to the mean over all values, as in torch. With
  /// [LossReduction#BATCH_MEAN], the result is the true divergence.
  public KlDivLoss() {
    this(LossReduction.MEAN, false);
  }

  /// Returns a copy with the given reduction.
  public KlDivLoss withReduction(LossReduction reduction) {
    return new KlDivLoss(reduction, logTarget);
  }

  /// Returns a copy whose wanted values are log-probabilities, too.
  public KlDivLoss withLogTarget() {
    return new KlDivLoss(reduction, true);
  }

  /// Returns the reduced loss.
  ///
  /// @throws ShapeException if the shapes differ
  @Override
  public Tensor forward(Tensor predicted, Tensor wanted) {
    Difference.requireOneShape("klDivLoss", predicted, wanted);
    // A wanted probability of 0 must not be multiplied by an infinite logarithm.
    if (logTarget) {
      Tensor nothing = wanted.eq(constant(Double.NEGATIVE_INFINITY, wanted));
      Tensor losses = wanted.exp().mul(wanted.sub(predicted));
      return reduction.of(losses.maskedFill(nothing, 0));
    }
    Tensor nothing = wanted.eq(constant(0, wanted));
    Tensor log = wanted.maskedFill(nothing, 1).log();
    return reduction.of(wanted.mul(log.sub(predicted)).maskedFill(nothing, 0));
  }

  private static Tensor constant(double value, Tensor like) {
    return Tensor.full(Shape.SCALAR, like.dtype(), value);
  }
}
