// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.Tensor;

/// How the losses of individual values are reduced to a result.
public enum LossReduction {
  /// No reduction.
  NONE,
  /// The mean.
  MEAN,
  /// The sum.
  SUM,
  /// The sum divided by the size of the first axis: the mean divergence over a batch of
  /// distributions. Like torch's `batchmean`.
  BATCH_MEAN;

  /// Returns the reduced losses.
  public Tensor of(Tensor losses) {
    return switch (this) {
      case NONE -> losses;
      case MEAN -> losses.mean();
      case SUM -> losses.sum();
      case BATCH_MEAN -> losses.sum().scale(1.0 / losses.shape().size(0));
    };
  }

  /// Returns the reduced losses. The mean is weighted.
  Tensor of(Tensor losses, Tensor weights) {
    return this == MEAN ? losses.sum().div(weights.sum()) : of(losses);
  }
}
