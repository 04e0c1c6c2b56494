// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

/// Decreases the learning rate along half a cosine over `epochs` epochs, then increases it again,
/// and so on. Like torch's `CosineAnnealingLR`.
///
/// @param epochs length of the decrease, in epochs
/// @param minimum the minimum rate
public record CosineAnnealingLr(long epochs, double minimum) implements RateSchedule {
  /// @throws IllegalArgumentException if `epochs` is not positive
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
