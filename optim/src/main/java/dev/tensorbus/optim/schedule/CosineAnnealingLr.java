// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

/// Lets the rate fall along half a cosine. After torch's `CosineAnnealingLR`; it rises again
/// after `epochs`, and so on.
///
/// @param epochs how long it falls
/// @param minimum where to
public record CosineAnnealingLr(long epochs, double minimum) implements RateSchedule {
  /// Checks the settings.
  public CosineAnnealingLr {
    ScheduleChecks.require(
        epochs > 0, "cosine annealing lr: epochs " + epochs + " must be above 0");
  }

  @Override
  public double rate(long epoch, double initial, double present) {
    if (epoch == 0) {
      return present;
    }
    if ((epoch - 1 - epochs) % (2 * epochs) == 0) {
      return present + (initial - minimum) * (1 - Math.cos(Math.PI / epochs)) / 2;
    }
    return share(epoch) / share(epoch - 1) * (present - minimum) + minimum;
  }

  private double share(long epoch) {
    return 1 + Math.cos(Math.PI * epoch / epochs);
  }
}
