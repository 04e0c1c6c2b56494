// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.Tensor;

/// A measure of how far a prediction is from the target: one of this package's records, or a
/// function such as `Losses::mseLoss`.
///
/// The losses of several batches can be combined into the loss of all their examples: means are
/// weighted by [#weight], sums are added.
@FunctionalInterface
public interface Loss {
  /// Returns the loss. The implementation defines the shapes.
  ///
  /// @param predicted the output of the network
  /// @param wanted the target values or classes
  Tensor forward(Tensor predicted, Tensor wanted);

  /// Returns how the losses of individual values are reduced. The default is the mean.
  default LossReduction reduction() {
    return LossReduction.MEAN;
  }

  /// Returns the divisor of the mean that [#forward] computes for these targets: the number of
  /// values, or the sum of their weights. It is 0 if all values are ignored; the mean is then NaN,
  /// as in torch. By default all values have the weight 1.
  ///
  /// @param wanted the targets of a batch
  default double weight(Tensor wanted) {
    return reduction() == LossReduction.BATCH_MEAN
        ? wanted.shape().size(0)
        : wanted.shape().elements();
  }
}
