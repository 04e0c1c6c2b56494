// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

/// Multiplies the learning rate by `gamma` every `stepSize` epochs. Like torch's `StepLR`.
///
/// @param stepSize number of epochs between changes
/// @param gamma decay factor
public record StepLr(long stepSize, double gamma) implements RateSchedule {
  /// @throws IllegalArgumentException if the step size is not positive
  public StepLr {
    ScheduleChecks.require(stepSize > 0, "step lr: step size " + stepSize + " must be above 0");
  }

  @Override
  public double rate(long epoch, double initial, double present) {
    return epoch == 0 || epoch % stepSize != 0 ? present : present * gamma;
  }
}
