// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.nn.loss.Loss;
import dev.tensorbus.nn.loss.LossReduction;

/// The loss of several batches as one batch of all their examples would give it: means count by
/// their [weights][Loss#weight], and sums are added.
///
/// @param isSum whether the losses are sums
/// @param sum of the losses, each times its weight if they are means
/// @param weight of all batches
record TotalLoss(boolean isSum, double sum, double weight) {
  /// The loss of no batch.
  static TotalLoss none(Loss loss) {
    return new TotalLoss(loss.reduction() == LossReduction.SUM, 0, 0);
  }

  /// Adds a batch. One without a value that counts changes nothing, since its mean is NaN.
  TotalLoss plus(double loss, double added) {
    return added == 0
        ? this
        : new TotalLoss(isSum, sum + (isSum ? loss : loss * added), weight + added);
  }

  /// Adds the batches of another one.
  TotalLoss plus(TotalLoss other) {
    return new TotalLoss(isSum, sum + other.sum, weight + other.weight);
  }

  /// Whether no value counts.
  boolean isEmpty() {
    return weight == 0;
  }

  /// The loss of all; NaN if no value counts.
  double value() {
    return isEmpty() ? Double.NaN : isSum ? sum : sum / weight;
  }

  /// The factor of one batch's loss in the loss of all.
  ///
  /// @param part the batch's weight, which is not 0
  /// @param all the weight of all batches
  double share(double part, double all) {
    return isSum ? 1 : part / all;
  }
}
