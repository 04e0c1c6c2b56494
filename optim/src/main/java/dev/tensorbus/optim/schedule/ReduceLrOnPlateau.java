// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.ParameterGroup;
import java.util.Collection;

/// Multiplies the rate by `factor` when a measure, such as the loss on other data, has not become
/// better for some epochs. After torch's `ReduceLROnPlateau`.
///
/// @param maximize whether better means greater
/// @param factor what the rate is multiplied by
/// @param patience for how many epochs the measure may be no better
/// @param threshold by how much better it has to be
/// @param absolute whether the threshold is an amount; otherwise a share of the best
/// @param cooldown how many epochs after a reduction are not counted
/// @param minimum of the rate
/// @param eps a smaller reduction is left out
public record ReduceLrOnPlateau(
    boolean maximize,
    double factor,
    long patience,
    double threshold,
    boolean absolute,
    long cooldown,
    double minimum,
    double eps) {
  /// Checks the settings.
  public ReduceLrOnPlateau {
    ScheduleChecks.require(factor < 1, "plateau: factor " + factor + " must be below 1");
  }

  /// Waits for a smaller measure, otherwise as torch has it.
  public ReduceLrOnPlateau(double factor, long patience) {
    this(false, factor, patience, 1e-4, false, 0, 0, 1e-8);
  }

  /// The same with greater measures as the better ones, or smaller.
  public ReduceLrOnPlateau withMaximize(boolean maximize) {
    return new ReduceLrOnPlateau(
        maximize, factor, patience, threshold, absolute, cooldown, minimum, eps);
  }

  /// The same with this amount, or share of the best, by which better measures differ.
  public ReduceLrOnPlateau withThreshold(double threshold, boolean absolute) {
    return new ReduceLrOnPlateau(
        maximize, factor, patience, threshold, absolute, cooldown, minimum, eps);
  }

  /// The same with so many epochs after a reduction that are not counted.
  public ReduceLrOnPlateau withCooldown(long cooldown) {
    return new ReduceLrOnPlateau(
        maximize, factor, patience, threshold, absolute, cooldown, minimum, eps);
  }

  /// The same with this least rate.
  public ReduceLrOnPlateau withMinimum(double minimum) {
    return new ReduceLrOnPlateau(
        maximize, factor, patience, threshold, absolute, cooldown, minimum, eps);
  }

  /// Watches over these groups' rates.
  public PlateauScheduler over(Collection<? extends ParameterGroup<?>> groups) {
    return new PlateauScheduler(this, groups);
  }

  double worst() {
    return maximize ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
  }

  boolean isBetter(double measure, double best) {
    double margin = maximize ? threshold : -threshold;
    // A share of the size of the best: torch takes it of the best itself, and of a negative one
    // its margin is then on the wrong side, so that it never reduces the rate. The first measure
    // has an infinite best, of which there is no share.
    boolean isAmount = absolute || Double.isInfinite(best);
    double bound = isAmount ? best + margin : best * (1 + margin * Math.signum(best));
    return maximize ? measure > bound : measure < bound;
  }
}
