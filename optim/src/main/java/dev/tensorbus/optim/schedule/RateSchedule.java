// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.OptimizerSpec;

/// A schedule that changes only the learning rate; it can be a lambda.
@FunctionalInterface
public interface RateSchedule extends Schedule {
  /// Returns the learning rate of a group in an epoch.
  ///
  /// @param epoch number of the epoch, from 0
  /// @param initial the rate before the first schedule changed it
  /// @param present the current rate
  double rate(long epoch, double initial, double present);

  @Override
  default OptimizerSpec settings(long epoch, OptimizerSpec initial, OptimizerSpec present) {
    return present.withLearningRate(rate(epoch, initial.learningRate(), present.learningRate()));
  }
}
