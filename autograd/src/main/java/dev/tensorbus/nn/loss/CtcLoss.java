// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.CtcOps;

/// The negative log-probability of a sequence of labels that is shorter than the network's: the
/// sum over all ways to stretch it by repetitions and blanks (Graves et al., "Connectionist
/// Temporal Classification", 2006). After `torch.nn.CTCLoss`.
///
/// @param blank the class that stands for no label
/// @param zeroInfinity whether a target that is too long for its input has the loss 0, not infinity
public record CtcLoss(LossReduction reduction, int blank, boolean zeroInfinity) {
  /// Takes the mean; class 0 is blank.
  public CtcLoss() {
    this(LossReduction.MEAN, 0, false);
  }

  /// The same with this reduction.
  public CtcLoss withReduction(LossReduction reduction) {
    return new CtcLoss(reduction, blank, zeroInfinity);
  }

  /// The same with this class for no label.
  public CtcLoss withBlank(int blank) {
    return new CtcLoss(reduction, blank, zeroInfinity);
  }

  /// The same where what is impossible does not count.
  public CtcLoss withZeroInfinity(boolean zeroInfinity) {
    return new CtcLoss(reduction, blank, zeroInfinity);
  }

  /// The loss of sequences, reduced. The mean divides each by the length of its target first.
  ///
  /// @param logProbabilities `[steps, n, classes]`, such as of [Tensor#logSoftmax]
  /// @param targets labels `[n, most]`, int64; those after a target's length do not count
  /// @param inputLengths how many steps each sequence has: `[n]`, int64
  /// @param targetLengths how many labels each target has: `[n]`, int64
  /// @throws ShapeException if the shapes do not fit
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
