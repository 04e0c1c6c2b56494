// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.Tensor;

/// The way in which the losses of single values become a result.
public enum LossReduction {
  /// They stay as they are.
  NONE,
  /// Their mean.
  MEAN,
  /// Their sum.
  SUM,
  /// Their sum divided by the size of the first axis: the mean over a batch of the divergence of
  /// whole distributions. After torch's `batchmean`.
  BATCH_MEAN;

  /// One value for all, or all.
  public Tensor of(Tensor losses) {
    return switch (this) {
      case NONE -> losses;
      case MEAN -> losses.mean();
      case SUM -> losses.sum();
      case BATCH_MEAN -> losses.sum().scale(1.0 / losses.shape().size(0));
    };
  }

  /// The same where single losses have weights, by which a mean is taken.
  Tensor of(Tensor losses, Tensor weights) {
    return this == MEAN ? losses.sum().div(weights.sum()) : of(losses);
  }
}
