// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

/// Changes the learning rate linearly from one fraction of the initial rate to another over
/// `epochs` epochs, then keeps it constant. An increase is a warm-up. Like torch's `LinearLR`.
///
/// @param startFactor fraction of the initial rate in epoch 0
/// @param endFactor fraction of the initial rate after `epochs` epochs
/// @param epochs length of the change, in epochs
public record LinearLr(double startFactor, double endFactor, long epochs) implements RateSchedule {
  /// @throws IllegalArgumentException if a setting is out of range
  public LinearLr {
    ScheduleChecks.require(
        startFactor > 0 && startFactor <= 1,
        "linear lr: start factor " + startFactor + " must be in (0, 1]");
    ScheduleChecks.require(
        endFactor >= 0 && endFactor <= 1,
        "linear lr: end factor " + endFactor + " must be in [0, 1]");
    ScheduleChecks.require(epochs > 0, "linear lr: epochs " + epochs + " must be above 0");
  }

  /// Returns a warm-up from a fraction of the initial rate to the full rate.
  public static LinearLr warmUp(double startFactor, long epochs) {
    return new LinearLr(startFactor, 1, epochs);
  }

  @Override
  public double rate(long epoch, double initial, double present) {
    if (epoch == 0) {
      return present * startFactor;
    }
    if (epoch == epochs && endFactor == 0) {
      return 0; // rounding could otherwise make the rate negative
    }
    double rise = endFactor - startFactor;
    return epoch > epochs
        ? present
        : present * (1 + rise / (epochs * startFactor + (epoch - 1) * rise));
  }
}
