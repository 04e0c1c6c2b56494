// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.Tensor;

/// Says how far a result is from the one that was wanted: one of this package's records, or a
/// function such as `Losses::mseLoss`.
///
/// The losses of several batches make up the loss of all their examples, as one batch would give
/// it: means are weighted by [#weight], and sums are added.
@FunctionalInterface
public interface Loss {
  /// The loss. Shapes are the implementation's own.
  ///
  /// @param predicted the network's result
  /// @param wanted the values or classes that it should have given
  Tensor forward(Tensor predicted, Tensor wanted);

  /// How the losses of single values become one. By default they become their mean.
  default LossReduction reduction() {
    return LossReduction.MEAN;
  }

  /// The divisor of the mean that [#forward] returns for these targets: how many values it is the
  /// mean of, or the sum of their weights. It is 0 if no value counts; the mean is then NaN, as in
  /// torch. By default all values of the targets count alike.
  ///
  /// @param wanted the targets of a batch
  default double weight(Tensor wanted) {
    return reduction() == LossReduction.BATCH_MEAN
        ? wanted.shape().size(0)
        : wanted.shape().elements();
  }
}
