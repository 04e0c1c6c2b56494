// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

/// Brings the rate in a straight line from a share of it to another, from all epochs before the
/// last on: a warm-up, if it rises. After torch's `LinearLR`.
///
/// @param startFactor the share of the initial rate in epoch 0
/// @param endFactor that from epoch `epochs` on
/// @param epochs how long it takes
public record LinearLr(double startFactor, double endFactor, long epochs) implements RateSchedule {
  /// Checks the settings.
  public LinearLr {
    ScheduleChecks.require(
        startFactor > 0 && startFactor <= 1,
        "linear lr: start factor " + startFactor + " must be in (0, 1]");
    ScheduleChecks.require(
        endFactor >= 0 && endFactor <= 1,
        "linear lr: end factor " + endFactor + " must be in [0, 1]");
    ScheduleChecks.require(epochs > 0, "linear lr: epochs " + epochs + " must be above 0");
  }

  /// Rises from a share of the rate to the whole.
  public static LinearLr warmUp(double startFactor, long epochs) {
    return new LinearLr(startFactor, 1, epochs);
  }

  @Override
  public double rate(long epoch, double initial, double present) {
    if (epoch == 0) {
      return present * startFactor;
    }
    if (epoch == epochs && endFactor == 0) {
      return 0; // the sum below is rounded, and may be less than 0
    }
    double rise = endFactor - startFactor;
    return epoch > epochs
        ? present
        : present * (1 + rise / (epochs * startFactor + (epoch - 1) * rise));
  }
}
