// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

/// Multiplies the rate by `gamma` after every `stepSize` epochs. After torch's `StepLR`.
///
/// @param stepSize how many epochs a rate stays
/// @param gamma what it is multiplied by
public record StepLr(long stepSize, double gamma) implements RateSchedule {
  /// Checks the settings.
  public StepLr {
    ScheduleChecks.require(stepSize > 0, "step lr: step size " + stepSize + " must be above 0");
  }

  @Override
  public double rate(long epoch, double initial, double present) {
    return epoch == 0 || epoch % stepSize != 0 ? present : present * gamma;
  }
}
