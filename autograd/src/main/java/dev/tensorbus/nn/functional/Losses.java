// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.LossOps;

/// The distance of results from the wanted values, as one value: the mean over the batch.
public final class Losses {
  private Losses() {}

  /// The mean of `|predicted - wanted|`. After `torch.nn.functional.l1_loss`.
  ///
  /// @throws ShapeException if the shapes differ
  public static Tensor l1Loss(Tensor predicted, Tensor wanted) {
    return difference("l1Loss", predicted, wanted).abs().mean();
  }

  /// The mean of `(predicted - wanted)²`. After `torch.nn.functional.mse_loss`.
  ///
  /// @throws ShapeException if the shapes differ
  public static Tensor mseLoss(Tensor predicted, Tensor wanted) {
    Tensor difference = difference("mseLoss", predicted, wanted);
    return difference.mul(difference).mean();
  }

  /// Without broadcasting: a column less a row would be a matrix, and its mean a wrong loss.
  private static Tensor difference(String loss, Tensor predicted, Tensor wanted) {
    if (!predicted.shape().equals(wanted.shape())) {
      throw new ShapeException(
          loss, "predicted " + predicted.shape() + " and wanted " + wanted.shape() + " differ");
    }
    return predicted.sub(wanted);
  }

  /// Takes `[n, classes]` log-probabilities and `n` labels, gives the negative mean of the
  /// labels' log-probabilities. After `torch.nn.functional.nll_loss`.
  ///
  /// @throws ShapeException if there is not one row for each label
  /// @throws IllegalArgumentException if a label is not the number of a class
  public static Tensor nllLoss(Tensor logProbabilities, int[] labels) {
    return LossOps.nllLoss(logProbabilities, labels);
  }

  /// The same for `[n, classes]` values that are no log-probabilities yet. After
  /// `torch.nn.functional.cross_entropy`.
  ///
  /// @throws ShapeException if there is not one row for each label
  /// @throws IllegalArgumentException if a label is not the number of a class
  public static Tensor crossEntropy(Tensor logits, int[] labels) {
    return LossOps.crossEntropy(logits, labels);
  }
}
