// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.functional;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.neural.LossOps;

/// Loss functions. Each returns the mean over the batch.
public final class Losses {
  private Losses() {}

  /// Returns the mean of `|predicted - wanted|`. Like `torch.nn.functional.l1_loss`.
  ///
  /// @throws ShapeException if the shapes differ
  public static Tensor l1Loss(Tensor predicted, Tensor wanted) {
    return difference("l1Loss", predicted, wanted).abs().mean();
  }

  /// Returns the mean of `(predicted - wanted)²`. Like `torch.nn.functional.mse_loss`.
  ///
  /// @throws ShapeException if the shapes differ
  public static Tensor mseLoss(Tensor predicted, Tensor wanted) {
    Tensor difference = difference("mseLoss", predicted, wanted);
    return difference.mul(difference).mean();
  }

  /// Subtracts without broadcasting: a column minus a row would be a matrix, and its mean a wrong
  /// loss.
  private static Tensor difference(String loss, Tensor predicted, Tensor wanted) {
    if (!predicted.shape().equals(wanted.shape())) {
      throw new ShapeException(
          loss,
          "the shapes of predicted %s and wanted %s differ"
              .formatted(predicted.shape(), wanted.shape()));
    }
    return predicted.sub(wanted);
  }

  /// Returns the mean negative log-probability of int64 labels `[n]`, given log-probabilities `[n,
  /// classes]`. Like `torch.nn.functional.nll_loss`.
  ///
  /// @throws ShapeException if the numbers of rows and labels differ or are 0
  /// @throws IllegalArgumentException if a label is not a class index, or the labels are not int64
  public static Tensor nllLoss(Tensor logProbabilities, Tensor labels) {
    return LossOps.nllLoss(logProbabilities, labels);
  }

  /// Returns the mean negative log-probability of int64 labels `[n]`, given logits `[n, classes]`.
  /// Like `torch.nn.functional.cross_entropy`.
  ///
  /// @throws ShapeException if the numbers of rows and labels differ or are 0
  /// @throws IllegalArgumentException if a label is not a class index, or the labels are not int64
  public static Tensor crossEntropy(Tensor logits, Tensor labels) {
    return LossOps.crossEntropy(logits, labels);
  }
}
