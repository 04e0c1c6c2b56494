// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.ParameterGroup;
import java.util.Collection;

/// Multiplies the learning rate by `factor` when a measure, such as the validation loss, has
/// stopped improving. Like torch's `ReduceLROnPlateau`.
///
/// @param maximize whether larger values are better
/// @param factor factor by which the rate is multiplied
/// @param patience number of epochs without improvement to tolerate
/// @param threshold minimum improvement
/// @param absolute whether the threshold is absolute; otherwise it is relative to the best value
/// @param cooldown number of epochs to ignore after a reduction
/// @param minimum the minimum rate
/// @param eps reductions that are not larger than this are skipped
public record ReduceLrOnPlateau(
    boolean maximize,
    double factor,
    long patience,
    double threshold,
    boolean absolute,
    long cooldown,
    double minimum,
    double eps) {
  /// @throws IllegalArgumentException if the factor is not below 1
  public ReduceLrOnPlateau {
    ScheduleChecks.require(factor < 1, "plateau: factor " + factor + " must be below 1");
  }

  /// Creates a schedule that minimizes the measure, with torch's defaults for the rest.
  public ReduceLrOnPlateau(double factor, long patience) {
    this(false, factor, patience, 1e-4, false, 0, 0, 1e-8);
  }

  /// Returns a copy that maximizes or minimizes the measure.
  public ReduceLrOnPlateau withMaximize(boolean maximize) {
    return new ReduceLrOnPlateau(
        maximize, factor, patience, threshold, absolute, cooldown, minimum, eps);
  }

  /// Returns a copy with another absolute or relative threshold.
  public ReduceLrOnPlateau withThreshold(double threshold, boolean absolute) {
    return new ReduceLrOnPlateau(
        maximize, factor, patience, threshold, absolute, cooldown, minimum, eps);
  }

  /// Returns a copy with another cooldown.
  public ReduceLrOnPlateau withCooldown(long cooldown) {
    return new ReduceLrOnPlateau(
        maximize, factor, patience, threshold, absolute, cooldown, minimum, eps);
  }

  /// Returns a copy with another minimum rate.
  public ReduceLrOnPlateau withMinimum(double minimum) {
    return new ReduceLrOnPlateau(
        maximize, factor, patience, threshold, absolute, cooldown, minimum, eps);
  }

  /// Returns a scheduler for these groups.
  public PlateauScheduler over(Collection<? extends ParameterGroup<?>> groups) {
    return new PlateauScheduler(this, groups);
  }

  double worst() {
    return maximize ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
  }

  boolean isBetter(double measure, double best) {
    double margin = maximize ? threshold : -threshold;
    // A relative threshold is a fraction of the absolute value of the best measure. torch uses the
    // signed value: if the best is negative, the margin has the wrong sign, and torch never reduces
    // the rate. Before the first measure, the best is infinite, so the threshold is added.
    boolean isAmount = absolute || Double.isInfinite(best);
    double bound = isAmount ? best + margin : best * (1 + margin * Math.signum(best));
    return maximize ? measure > bound : measure < bound;
  }
}
