// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.nn.functional.Losses;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// Cross-entropy: the negative log-probabilities of labels, computed from logits. Like
/// `torch.nn.CrossEntropyLoss`.
///
/// @param weight the weight of each class, `[classes]`, or null for equal weights
/// @param ignoreIndex the label that is ignored
/// @param labelSmoothing the fraction of each label that is spread evenly over all classes: Szegedy
///     et al., "Rethinking the Inception Architecture" (2016)
public record CrossEntropyLoss(
    LossReduction reduction, @Nullable Tensor weight, long ignoreIndex, double labelSmoothing)
    implements Loss {
  /// @throws IllegalArgumentException if the smoothing is not in `[0, 1]`
  public CrossEntropyLoss {
    if (!(labelSmoothing >= 0 && labelSmoothing <= 1)) {
      throw new IllegalArgumentException(
          "cross-entropy loss: label smoothing " + labelSmoothing + " is not in [0, 1]");
    }
  }

  /// Creates a loss that is reduced to the mean and ignores the label -100, with equal weights and
  /// no smoothing.
  public CrossEntropyLoss() {
    this(LossReduction.MEAN, null, -100, 0);
  }

  /// Returns a copy with the given reduction.
  public CrossEntropyLoss withReduction(LossReduction reduction) {
    return new CrossEntropyLoss(reduction, weight, ignoreIndex, labelSmoothing);
  }

  /// Returns a copy with the given class weights.
  public CrossEntropyLoss withWeight(Tensor weight) {
    return new CrossEntropyLoss(reduction, weight, ignoreIndex, labelSmoothing);
  }

  /// Returns a copy that ignores the given label.
  public CrossEntropyLoss withIgnoreIndex(long ignoreIndex) {
    return new CrossEntropyLoss(reduction, weight, ignoreIndex, labelSmoothing);
  }

  /// Returns a copy with the given label smoothing.
  public CrossEntropyLoss withLabelSmoothing(double labelSmoothing) {
    return new CrossEntropyLoss(reduction, weight, ignoreIndex, labelSmoothing);
  }

  /// Returns the reduced loss.
  ///
  /// @param logits `[n, classes, …]`
  /// @param labels int64, `[n, …]`
  /// @throws ShapeException if the shapes are incompatible
  /// @throws IllegalArgumentException if a label is neither a class index nor ignored
  @Override
  public Tensor forward(Tensor logits, Tensor labels) {
    // A trace must not depend on whether there are ignored labels in this batch.
    if (isPlain() && !Trace.isOn() && areRows(logits.shape(), labels)) {
      return Losses.crossEntropy(logits, labels);
    }
    Labels counted = Labels.of("crossEntropyLoss", logits, labels, weight, ignoreIndex);
    Tensor logProbabilities = logits.logSoftmax(1);
    Tensor losses = counted.losses(logProbabilities);
    if (labelSmoothing > 0) {
      Tensor smooth = overClasses(logProbabilities).maskedFill(counted.ignored(), 0);
      int classes = logits.shape().size(1);
      losses = losses.scale(1 - labelSmoothing).add(smooth.scale(labelSmoothing / classes));
    }
    return reduction.of(losses, counted.weights());
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

  private boolean isPlain() {
    return reduction == LossReduction.MEAN && weight == null && labelSmoothing == 0;
  }

  /// Returns whether there is one label for each row of `[n, classes]`, and all labels are class
  /// indices that are not ignored. In this case, a single operation computes the mean without an
  /// array of log-probabilities.
  private boolean areRows(Shape logits, Tensor labels) {
    return logits.rank() == 2
        && logits.elements() > 0
        && labels.shape().equals(Shape.of(logits.size(0)))
        && LongStream.of(labels.longs())
            .allMatch(label -> label >= 0 && label < logits.size(1) && label != ignoreIndex);
  }

  /// Returns the weighted sum of the negative log-probabilities of all classes.
  private Tensor overClasses(Tensor logProbabilities) {
    Tensor weighted = logProbabilities;
    if (weight != null) {
      int[] sizes = new int[logProbabilities.shape().rank()];
      Arrays.fill(sizes, 1);
      sizes[1] = logProbabilities.shape().size(1);
      Tensor weights = weight.to(logProbabilities.dtype()).reshape(sizes);
      Tensor nothing = weights.eq(Tensor.full(Shape.SCALAR, weights.dtype(), 0));
      weighted = logProbabilities.mul(weights).maskedFill(nothing, 0);
    }
    return weighted.sum(1).neg();
  }
}
