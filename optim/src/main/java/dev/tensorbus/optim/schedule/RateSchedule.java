// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.OptimizerSpec;

/// A schedule that changes the learning rate and nothing else; a lambda is one.
@FunctionalInterface
public interface RateSchedule extends Schedule {
  /// The rate of a group in an epoch.
  ///
  /// @param epoch from 0 on
  /// @param initial the rate before the first schedule changed it
  /// @param present the rate now
  double rate(long epoch, double initial, double present);

  @Override
  default OptimizerSpec settings(long epoch, OptimizerSpec initial, OptimizerSpec present) {
    return present.withLearningRate(rate(epoch, initial.learningRate(), present.learningRate()));
  }
}
