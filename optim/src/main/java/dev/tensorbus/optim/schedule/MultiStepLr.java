// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import java.util.Collections;
import java.util.List;

/// Multiplies the rate by `gamma` at the beginning of certain epochs. After torch's
/// `MultiStepLR`.
///
/// @param milestones these epochs; one that is there twice counts twice
/// @param gamma what the rate is multiplied by
public record MultiStepLr(List<Long> milestones, double gamma) implements RateSchedule {
  /// Keeps a copy of the list.
  public MultiStepLr {
    milestones = List.copyOf(milestones);
  }

  @Override
  public double rate(long epoch, double initial, double present) {
    int times = Collections.frequency(milestones, epoch);
    return times == 0 ? present : present * Math.pow(gamma, times);
  }
}
