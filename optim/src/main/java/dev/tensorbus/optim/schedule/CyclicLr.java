// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.schedule.OneCycleLr.Momentum;

/// Goes up and down between two rates in straight lines, again and again; the momentum goes the
/// other way. After torch's `CyclicLR` (Smith, "Cyclical Learning Rates for Training Neural
/// Networks", 2017).
///
/// @param baseRate the least rate
/// @param maxRate the greatest rate
/// @param stepsUp in how many steps the rate rises
/// @param stepsDown in how many steps it falls
/// @param scale how high the cycles are
/// @param momentum between which bounds the momentum goes
public record CyclicLr(
    double baseRate, double maxRate, long stepsUp, long stepsDown, Scale scale, Momentum momentum)
    implements Schedule {

  /// How high a cycle is, as a share of the first.
  @FunctionalInterface
  public interface Scale {
    /// All cycles are the same. torch's `triangular`.
    Scale TRIANGULAR = (cycle, step) -> 1;

    /// Each cycle is half as high as the one before. torch's `triangular2`.
    Scale TRIANGULAR2 = (cycle, step) -> 1 / Math.pow(2, cycle - 1);

    /// The height of a step.
    ///
    /// @param cycle from 1 on
    /// @param step from 0 on, over all cycles
    double at(double cycle, double step);

    /// Falls by a factor in each step. torch's `exp_range`.
    static Scale expRange(double gamma) {
      return (_, step) -> Math.pow(gamma, step);
    }
  }

  /// Checks the settings.
  ///
  /// @throws IllegalArgumentException if a number of steps is not positive
  public CyclicLr {
    ScheduleChecks.require(
        stepsUp > 0 && stepsDown > 0,
        "cyclic lr: %d steps up and %d down must be above 0".formatted(stepsUp, stepsDown));
  }

  /// Cycles of one height, which fall as they rise, with torch's bounds of the momentum.
  public CyclicLr(double baseRate, double maxRate, long stepsUp) {
    this(baseRate, maxRate, stepsUp, stepsUp, Scale.TRIANGULAR, new Momentum(0.8, 0.9));
  }

  /// The same, falling in so many steps.
  public CyclicLr withStepsDown(long stepsDown) {
    return new CyclicLr(baseRate, maxRate, stepsUp, stepsDown, scale, momentum);
  }

  /// The same with cycles of these heights.
  public CyclicLr withScale(Scale scale) {
    return new CyclicLr(baseRate, maxRate, stepsUp, stepsDown, scale, momentum);
  }

  /// The same with these bounds of the momentum; [Momentum#UNCHANGED] for optimizers without.
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
