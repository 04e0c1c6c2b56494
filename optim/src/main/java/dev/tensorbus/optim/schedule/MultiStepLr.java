// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import java.util.Collections;
import java.util.List;

/// Multiplies the learning rate by `gamma` at the start of each milestone epoch. Like torch's
/// `MultiStepLR`.
///
/// @param milestones numbers of the milestone epochs, from 0; a duplicate counts twice
/// @param gamma decay factor
public record MultiStepLr(List<Long> milestones, double gamma) implements RateSchedule {
  /// Copies the list.
  public MultiStepLr {
    milestones = List.copyOf(milestones);
  }

  @Override
  public double rate(long epoch, double initial, double present) {
    int times = Collections.frequency(milestones, epoch);
    return times == 0 ? present : present * Math.pow(gamma, times);
  }
}
