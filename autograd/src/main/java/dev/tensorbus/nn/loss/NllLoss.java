// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import org.jspecify.annotations.Nullable;

/// The negative log-probabilities of labels. Like `torch.nn.NLLLoss`.
///
/// @param weight the weight of each class, `[classes]`, or null for equal weights
/// @param ignoreIndex the label that is ignored
public record NllLoss(LossReduction reduction, @Nullable Tensor weight, long ignoreIndex)
    implements Loss {
  /// Creates a loss that is reduced to the mean and ignores the label -100, with equal weights.
  public NllLoss() {
    this(LossReduction.MEAN, null, -100);
  }

  /// Returns a copy with the given reduction.
  public NllLoss withReduction(LossReduction reduction) {
    return new NllLoss(reduction, weight, ignoreIndex);
  }

  /// Returns a copy with the given class weights.
  public NllLoss withWeight(Tensor weight) {
    return new NllLoss(reduction, weight, ignoreIndex);
  }

  /// Returns a copy that ignores the given label.
  public NllLoss withIgnoreIndex(long ignoreIndex) {
    return new NllLoss(reduction, weight, ignoreIndex);
  }

  /// Returns the reduced loss.
  ///
  /// @param logProbabilities `[n, classes, …]`
  /// @param labels int64, `[n, …]`
  /// @throws ShapeException if the shapes are incompatible
  /// @throws IllegalArgumentException if a label is neither a class index nor ignored
  @Override
  public Tensor forward(Tensor logProbabilities, Tensor labels) {
    Labels counted = Labels.of("nllLoss", logProbabilities, labels, weight, ignoreIndex);
    return reduction.of(counted.losses(logProbabilities), counted.weights());
  }

  /// Returns the sum of the weights of the labels that are not ignored. With
  /// [LossReduction#BATCH_MEAN], returns the number of examples.
  ///
  /// @throws IllegalArgumentException if there are class weights and a label is not a class index
  @Override
  public double weight(Tensor labels) {
    return reduction == LossReduction.BATCH_MEAN
        ? labels.shape().size(0)
        : Labels.weight(labels, weight, ignoreIndex);
  }
}
