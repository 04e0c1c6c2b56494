// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import java.util.Collection;

/// Computes an optimizer's settings for each epoch. A schedule is a record and applies to any
/// optimizer, local or [distributed][dev.tensorbus.optim.distributed.DistributedOptimizer]; the
/// latter sends new settings to the owners with its steps. An epoch is the interval between two
/// calls of [Scheduler#step].
///
/// Several schedules over the same groups combine as in torch: each continues from the current
/// rate, and all share the initial one.
public interface Schedule {
  /// Returns the settings of a group in an epoch.
  ///
  /// @param epoch number of the epoch, from 0
  /// @param initial the settings before the first schedule changed them
  /// @param present the current settings
  OptimizerSpec settings(long epoch, OptimizerSpec initial, OptimizerSpec present);

  /// Returns a scheduler of these groups at epoch 0: `new StepLr(30,
  /// 0.1).over(optimizer.groups())`.
  default Scheduler over(Collection<? extends ParameterGroup<?>> groups) {
    return new Scheduler(this, groups);
  }

  /// Returns a schedule that follows this one until an epoch, and then `next`, which starts with
  /// its own epoch 0 at the initial rate: `LinearLr.warmUp(0.1, 5).then(5, new
  /// ExponentialLr(0.9))`. Like torch's `SequentialLR`.
  ///
  /// @throws IllegalArgumentException if the epoch is not positive
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
