// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

/// Multiplies the learning rate by `gamma` after every epoch. Like torch's `ExponentialLR`.
///
/// @param gamma decay factor
public record ExponentialLr(double gamma) implements RateSchedule {
  @Override
  public double rate(long epoch, double initial, double present) {
    return epoch == 0 ? present : present * gamma;
  }
}
