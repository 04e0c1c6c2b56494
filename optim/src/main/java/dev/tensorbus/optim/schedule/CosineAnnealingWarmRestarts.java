// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

/// Lets the rate fall along half a cosine, again and again, each time from the initial one. After
/// torch's `CosineAnnealingWarmRestarts` (Loshchilov and Hutter, "SGDR").
///
/// @param period the epochs of the first fall
/// @param factor by which each period is longer than the one before
/// @param minimum where it falls to
public record CosineAnnealingWarmRestarts(long period, long factor, double minimum)
    implements RateSchedule {
  /// Checks the settings.
  public CosineAnnealingWarmRestarts {
    ScheduleChecks.require(period > 0, "cosine annealing: period " + period + " must be above 0");
    ScheduleChecks.require(factor > 0, "cosine annealing: factor " + factor + " must be above 0");
  }

  @Override
  public double rate(long epoch, double initial, double present) {
    long since = epoch;
    long length = period;
    while (since >= length) {
      since -= length;
      length *= factor;
    }
    return minimum + (initial - minimum) * (1 + Math.cos(Math.PI * since / length)) / 2;
  }
}
