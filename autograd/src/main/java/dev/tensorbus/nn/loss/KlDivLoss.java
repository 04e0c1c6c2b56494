// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;

/// How far predicted log-probabilities are from wanted probabilities: `wanted * (log(wanted) -
/// predicted)`, 0 where nothing is wanted. Kullback and Leibler, "On Information and Sufficiency"
/// (1951). After `torch.nn.KLDivLoss`.
///
/// @param logTarget whether wanted are log-probabilities too
public record KlDivLoss(LossReduction reduction, boolean logTarget) implements Loss {
  /// Takes the mean over all values, as torch does; [LossReduction#BATCH_MEAN] is the divergence.
  public KlDivLoss() {
    this(LossReduction.MEAN, false);
  }

  /// The same with this reduction.
  public KlDivLoss withReduction(LossReduction reduction) {
    return new KlDivLoss(reduction, logTarget);
  }

  /// The same where wanted are log-probabilities too.
  public KlDivLoss withLogTarget() {
    return new KlDivLoss(reduction, true);
  }

  /// The loss of values, reduced.
  ///
  /// @throws ShapeException if the shapes differ
  @Override
  public Tensor forward(Tensor predicted, Tensor wanted) {
    Difference.requireOneShape("klDivLoss", predicted, wanted);
    // Where nothing is wanted, infinite logarithms must not meet a factor of 0.
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
