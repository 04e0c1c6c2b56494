// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

/// Changes the learning rate linearly from one share of it to another over `epochs`, then keeps it:
/// a warm-up if it increases. Like torch's `LinearLR`.
///
/// @param startFactor share of the initial rate in epoch 0
/// @param endFactor share of the initial rate from epoch `epochs` on
/// @param epochs number of epochs of the change
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

  /// Returns a warm-up from a share of the rate to the full rate.
  public static LinearLr warmUp(double startFactor, long epochs) {
    return new LinearLr(startFactor, 1, epochs);
  }

  @Override
  public double rate(long epoch, double initial, double present) {
    if (epoch == 0) {
      return present * startFactor;
    }
    if (epoch == epochs && endFactor == 0) {
      return 0; // rounding could make the sum below negative
    }
    double rise = endFactor - startFactor;
    return epoch > epochs
        ? present
        : present * (1 + rise / (epochs * startFactor + (epoch - 1) * rise));
  }
}
