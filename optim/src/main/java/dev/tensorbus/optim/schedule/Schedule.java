// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import java.util.Collection;

/// Says which settings an optimizer has in which epoch: a record, for any optimizer, here or
/// [distributed][dev.tensorbus.optim.distributed.DistributedOptimizer], whose settings travel to
/// the owners with its steps. An epoch is whatever lies between two calls of [Scheduler#step].
///
/// Several schedules over the same groups work together, as torch's do, where each goes on from
/// the present rate, and all have the same initial one.
public interface Schedule {
  /// The settings of a group in an epoch.
  ///
  /// @param epoch from 0 on
  /// @param initial those that it had before the first schedule changed them
  /// @param present those that it has now
  OptimizerSpec settings(long epoch, OptimizerSpec initial, OptimizerSpec present);

  /// Begins with epoch 0 for these groups: `new StepLr(30, 0.1).over(optimizer.groups())`.
  default Scheduler over(Collection<? extends ParameterGroup<?>> groups) {
    return new Scheduler(this, groups);
  }

  /// This schedule until an epoch, and another from there on, with its own epoch 0 and the rate
  /// that there was before: `LinearLr.warmUp(0.1, 5).then(5, new ExponentialLr(0.9))`. After
  /// torch's `SequentialLR`.
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
