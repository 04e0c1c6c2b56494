// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.nn.loss.LossReduction;

/// The loss of several batches, as if they were one batch. Mean losses are averaged with their
/// [weights][TrainingStep#weight]; summed losses are added.
///
/// @param isSum whether the losses are sums
/// @param sum sum of the losses; mean losses are multiplied by their weights first
/// @param weight total weight of the batches
record TotalLoss(boolean isSum, double sum, double weight) {
  /// Returns the total before the first batch.
  static TotalLoss none(LossReduction reduction) {
    return new TotalLoss(reduction == LossReduction.SUM, 0, 0);
  }

  /// Returns this total plus one batch. Ignores a batch whose weight is 0, since its mean loss is
  /// NaN.
  TotalLoss plus(double loss, double added) {
    return added == 0
        ? this
        : new TotalLoss(isSum, sum + (isSum ? loss : loss * added), weight + added);
  }

  /// Returns the sum of this total and another one.
  TotalLoss plus(TotalLoss other) {
    return new TotalLoss(isSum, sum + other.sum, weight + other.weight);
  }

  /// Returns whether no target has contributed to the loss.
  boolean isEmpty() {
    return weight == 0;
  }

  /// Returns the total loss; NaN if no target has contributed to it.
  double value() {
    return isEmpty() ? Double.NaN : isSum ? sum : sum / weight;
  }

  /// Returns the factor by which one batch's loss is multiplied in the total loss.
  ///
  /// @param part the batch's weight, which is not 0
  /// @param all total weight of all batches
  double share(double part, double all) {
    return isSum ? 1 : part / all;
  }
}
