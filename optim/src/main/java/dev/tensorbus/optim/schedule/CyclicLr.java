// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.schedule.OneCycleLr.Momentum;

/// Cycles the learning rate linearly between two bounds, and the momentum inversely. Like torch's
/// `CyclicLR` (Smith, "Cyclical Learning Rates for Training Neural Networks", 2017).
///
/// @param baseRate minimum learning rate
/// @param maxRate maximum learning rate
/// @param stepsUp length of each increase, in steps
/// @param stepsDown length of each decrease, in steps
/// @param scale scales the amplitude of the cycles
/// @param momentum bounds of the momentum
public record CyclicLr(
    double baseRate, double maxRate, long stepsUp, long stepsDown, Scale scale, Momentum momentum)
    implements Schedule {

  /// The amplitude of a cycle, relative to the first.
  @FunctionalInterface
  public interface Scale {
    /// Keeps the amplitude constant. Like torch's `triangular`.
    Scale TRIANGULAR = (cycle, step) -> 1;

    /// Halves the amplitude after each cycle. Like torch's `triangular2`.
    Scale TRIANGULAR2 = (cycle, step) -> 1 / Math.pow(2, cycle - 1);

    /// Returns the amplitude at a step.
    ///
    /// @param cycle number of the cycle, from 1
    /// @param step number of the step, counted from 0 over all cycles
    double at(double cycle, double step);

    /// Returns a scale that multiplies the amplitude by `gamma` after each step. Like torch's
    /// `exp_range`.
    static Scale expRange(double gamma) {
      return (_, step) -> Math.pow(gamma, step);
    }
  }

  /// @throws IllegalArgumentException if `stepsUp` or `stepsDown` is not positive
  public CyclicLr {
    ScheduleChecks.require(
        stepsUp > 0 && stepsDown > 0,
        "cyclic lr: %d steps up and %d down must be above 0".formatted(stepsUp, stepsDown));
  }

  /// Creates symmetric cycles of constant amplitude, with torch's default bounds of the momentum.
  public CyclicLr(double baseRate, double maxRate, long stepsUp) {
    this(baseRate, maxRate, stepsUp, stepsUp, Scale.TRIANGULAR, new Momentum(0.8, 0.9));
  }

  /// Returns a copy with another length of the decrease.
  public CyclicLr withStepsDown(long stepsDown) {
    return new CyclicLr(baseRate, maxRate, stepsUp, stepsDown, scale, momentum);
  }

  /// Returns a copy with another scale.
  public CyclicLr withScale(Scale scale) {
    return new CyclicLr(baseRate, maxRate, stepsUp, stepsDown, scale, momentum);
  }

  /// Returns a copy with different bounds for the momentum. Use [Momentum#UNCHANGED] for optimizers
  /// without momentum.
  public CyclicLr withMomentum(Momentum momentum) {
    return new CyclicLr(baseRate, maxRate, stepsUp, stepsDown, scale, momentum);
  }

  @Override
  public OptimizerSpec settings(long epoch, OptimizerSpec initial, OptimizerSpec present) {
    double total = (double) stepsUp + stepsDown;
    double rising = stepsUp / total;
    double cycle = Math.floor(1 + epoch / total);
    double place = 1 + epoch / total - cycle;
    double height = place <= rising ? place / rising : (place - 1) / (rising - 1);
    double scaled = scale.at(cycle, (double) epoch);
    double rate = baseRate + (maxRate - baseRate) * height * scaled;
    double fallen = momentum.max() - (momentum.max() - momentum.base()) * height * scaled;
    return momentum.changed("cyclic lr", present.withLearningRate(rate), fallen);
  }
}
