// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import org.jspecify.annotations.Nullable;

/// The negative log-probabilities of labels. After `torch.nn.NLLLoss`.
///
/// @param weight how much each class counts, `[classes]`, or null if all count the same
/// @param ignoreIndex a label that does not count
public record NllLoss(LossReduction reduction, @Nullable Tensor weight, long ignoreIndex)
    implements Loss {
  /// Takes the mean; all classes count the same, and -100 does not count.
  public NllLoss() {
    this(LossReduction.MEAN, null, -100);
  }

  /// The same with this reduction.
  public NllLoss withReduction(LossReduction reduction) {
    return new NllLoss(reduction, weight, ignoreIndex);
  }

  /// The same with these weights of classes.
  public NllLoss withWeight(Tensor weight) {
    return new NllLoss(reduction, weight, ignoreIndex);
  }

  /// The same where this label does not count.
  public NllLoss withIgnoreIndex(long ignoreIndex) {
    return new NllLoss(reduction, weight, ignoreIndex);
  }

  /// The loss of labels, reduced.
  ///
  /// @param logProbabilities `[n, classes, …]`
  /// @param labels of int64, `[n, …]`
  /// @throws ShapeException if the shapes do not fit
  /// @throws IllegalArgumentException if a label is not the number of a class
  @Override
  public Tensor forward(Tensor logProbabilities, Tensor labels) {
    Labels counted = Labels.of("nllLoss", logProbabilities, labels, weight, ignoreIndex);
    return reduction.of(counted.losses(logProbabilities), counted.weights());
  }

  /// The sum of the weights of the labels that count. With [LossReduction#BATCH_MEAN] it is the
  /// number of examples.
  ///
  /// @throws IllegalArgumentException if there are class weights and a label is not the number of a
  ///     class
  @Override
  public double weight(Tensor labels) {
    return reduction == LossReduction.BATCH_MEAN
        ? labels.shape().size(0)
        : Labels.weight(labels, weight, ignoreIndex);
  }
}
