// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

/// Decreases the learning rate along half a cosine, and restarts at the initial rate after each
/// cycle. Like torch's `CosineAnnealingWarmRestarts` (Loshchilov and Hutter, "SGDR").
///
/// @param period length of the first cycle, in epochs
/// @param factor factor by which each cycle is longer than the previous one
/// @param minimum the minimum rate
public record CosineAnnealingWarmRestarts(long period, long factor, double minimum)
    implements RateSchedule {
  /// @throws IllegalArgumentException if the period or the factor is not positive
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
