// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.CtcOps;

/// The negative log-probability of a label sequence that may be shorter than the network's output.
/// The probability is summed over all alignments with repetitions and blanks (Graves et al.,
/// "Connectionist Temporal Classification", 2006). Like `torch.nn.CTCLoss`.
///
/// @param blank the index of the blank class
/// @param zeroInfinity whether the loss of a target that is too long for its input is 0 instead of
///     infinity
public record CtcLoss(LossReduction reduction, int blank, boolean zeroInfinity) {
  /// Creates a loss that is reduced to the mean, with class 0 as the blank.
  public CtcLoss() {
    this(LossReduction.MEAN, 0, false);
  }

  /// Returns a copy with the given reduction.
  public CtcLoss withReduction(LossReduction reduction) {
    return new CtcLoss(reduction, blank, zeroInfinity);
  }

  /// Returns a copy with the given blank class.
  public CtcLoss withBlank(int blank) {
    return new CtcLoss(reduction, blank, zeroInfinity);
  }

  /// Returns a copy that replaces infinite losses with 0 if `zeroInfinity` is true.
  public CtcLoss withZeroInfinity(boolean zeroInfinity) {
    return new CtcLoss(reduction, blank, zeroInfinity);
  }

  /// Returns the reduced loss. For the mean, each loss is first divided by the length of its
  /// target.
  ///
  /// @param logProbabilities `[steps, n, classes]`, for example from [Tensor#logSoftmax]
  /// @param targets int64 labels `[n, maximum length]`; labels beyond the length of a target are
  ///     ignored
  /// @param inputLengths the number of steps of each sequence: `[n]`, int64
  /// @param targetLengths the number of labels of each target: `[n]`, int64
  /// @throws ShapeException if the shapes are incompatible
  /// @throws IllegalArgumentException if a length or a label is out of range
  public Tensor forward(
      Tensor logProbabilities, Tensor targets, Tensor inputLengths, Tensor targetLengths) {
    Tensor losses = CtcOps.ctc(logProbabilities, targets, inputLengths, targetLengths, blank);
    if (zeroInfinity) {
      Tensor infinity = Tensor.full(Shape.SCALAR, losses.dtype(), Double.POSITIVE_INFINITY);
      losses = losses.maskedFill(losses.eq(infinity), 0);
    }
    if (reduction != LossReduction.MEAN) {
      return reduction.of(losses);
    }
    Tensor lengths = targetLengths.to(losses.dtype()).clamp(1, Double.POSITIVE_INFINITY);
    return losses.div(lengths).mean();
  }
}
