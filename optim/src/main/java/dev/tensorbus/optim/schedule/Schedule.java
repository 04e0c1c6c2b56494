// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import java.util.Collection;

/// Computes an optimizer's settings for each epoch, which is the interval between two calls of
/// [Scheduler#step]. A schedule is stateless and works with any optimizer, local or
/// [distributed][dev.tensorbus.optim.distributed.DistributedOptimizer]. A distributed optimizer
/// sends changed settings to the owners with its next step.
///
/// Several schedules of the same groups combine as in torch: each one changes the current rate, and
/// all of them have the same initial rate.
public interface Schedule {
  /// Returns the settings of a group in an epoch.
  ///
  /// @param epoch number of the epoch, from 0
  /// @param initial the settings before the first schedule changed them
  /// @param present the current settings
  OptimizerSpec settings(long epoch, OptimizerSpec initial, OptimizerSpec present);

  /// Returns a scheduler that applies this schedule to parameter groups, starting at epoch 0.
  /// Example: `new StepLr(30, 0.1).over(optimizer.groups())`.
  default Scheduler over(Collection<? extends ParameterGroup<?>> groups) {
    return new Scheduler(this, groups);
  }

  /// Returns a schedule that switches from this one to `next` at epoch `milestone`. `next` starts
  /// at the initial rate and counts its epochs from 0. Example: `LinearLr.warmUp(0.1, 5).then(5,
  /// new ExponentialLr(0.9))`. Like torch's `SequentialLR`.
  ///
  /// @param milestone number of the first epoch to which `next` applies
  /// @throws IllegalArgumentException if `milestone` is not positive
  default Schedule then(long milestone, Schedule next) {
    ScheduleChecks.require(milestone > 0, "then: epoch " + milestone + " must be above 0");
    return (epoch, initial, present) -> {
      if (epoch < milestone) {
        return settings(epoch, initial, present);
      }
      OptimizerSpec before =
          epoch == milestone ? present.withLearningRate(initial.learningRate()) : present;
      return next.settings(epoch - milestone, initial, before);
    };
  }
}
