// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.MomentumSpec;
import dev.tensorbus.optim.OptimizerSpec;

/// The one-cycle policy: increases the learning rate to a maximum, then decreases it to almost 0,
/// and changes the momentum inversely. Advances once per step. Like torch's `OneCycleLR` (Smith and
/// Topin, "Super-Convergence").
///
/// @param maxRate maximum learning rate
/// @param totalSteps number of steps in the cycle
/// @param rising fraction of the steps in which the rate increases
/// @param shape shape of the curves
/// @param momentum bounds of the momentum
/// @param divisor the initial rate is `maxRate / divisor`
/// @param finalDivisor the final rate is the initial rate divided by this
/// @param threePhases whether to decrease the rate in two phases: first back to the initial rate,
///     as fast as it increased, then to the final rate
public record OneCycleLr(
    double maxRate,
    long totalSteps,
    double rising,
    Shape shape,
    Momentum momentum,
    double divisor,
    double finalDivisor,
    boolean threePhases)
    implements Schedule {

  /// The shape of the curve between two values.
  public enum Shape {
    /// Follows half a cosine.
    COSINE {
      @Override
      double between(double start, double end, double share) {
        return end + (start - end) / 2 * (Math.cos(Math.PI * share) + 1);
      }
    },
    /// Follows a straight line.
    LINEAR {
      @Override
      double between(double start, double end, double share) {
        return (end - start) * share + start;
      }
    };

    abstract double between(double start, double end, double share);
  }

  /// The bounds of the momentum, or of `beta1` for Adam and its variants.
  ///
  /// @param base momentum at the maximum rate
  /// @param max momentum at the initial and the final rate
  public record Momentum(double base, double max) {
    /// Leaves the momentum unchanged.
    public static final Momentum UNCHANGED = new Momentum(Double.NaN, Double.NaN);

    /// Returns settings with this momentum, or unchanged settings for [#UNCHANGED].
    OptimizerSpec changed(String schedule, OptimizerSpec settings, double momentum) {
      if (Double.isNaN(base)) {
        return settings;
      }
      if (!(settings instanceof MomentumSpec moving)) {
        throw new IllegalArgumentException(
            "%s: %s has no momentum to change; call withMomentum(Momentum.UNCHANGED)"
                .formatted(schedule, settings));
      }
      return moving.withMomentum(momentum);
    }
  }

  /// @throws IllegalArgumentException if a setting is out of range
  public OneCycleLr {
    ScheduleChecks.require(
        totalSteps > 0, "one cycle: total steps " + totalSteps + " must be above 0");
    ScheduleChecks.require(
        rising >= 0 && rising <= 1, "one cycle: rising fraction " + rising + " must be in [0, 1]");
  }

  /// Creates a cycle with this maximum rate and length, and torch's defaults for the rest.
  public OneCycleLr(double maxRate, long totalSteps) {
    this(maxRate, totalSteps, 0.3, Shape.COSINE, new Momentum(0.85, 0.95), 25, 1e4, false);
  }

  /// Returns a copy with another fraction of steps in which the rate increases.
  public OneCycleLr withRising(double rising) {
    return new OneCycleLr(
        maxRate, totalSteps, rising, shape, momentum, divisor, finalDivisor, threePhases);
  }

  /// Returns a copy with another shape.
  public OneCycleLr withShape(Shape shape) {
    return new OneCycleLr(
        maxRate, totalSteps, rising, shape, momentum, divisor, finalDivisor, threePhases);
  }

  /// Returns a copy with different bounds for the momentum. Use [Momentum#UNCHANGED] for optimizers
  /// without momentum.
  public OneCycleLr withMomentum(Momentum momentum) {
    return new OneCycleLr(
        maxRate, totalSteps, rising, shape, momentum, divisor, finalDivisor, threePhases);
  }

  /// Returns a copy with different initial and final rates.
  public OneCycleLr withDivisors(double divisor, double finalDivisor) {
    return new OneCycleLr(
        maxRate, totalSteps, rising, shape, momentum, divisor, finalDivisor, threePhases);
  }

  /// Returns a copy with three phases or two.
  public OneCycleLr withThreePhases(boolean threePhases) {
    return new OneCycleLr(
        maxRate, totalSteps, rising, shape, momentum, divisor, finalDivisor, threePhases);
  }

  @Override
  public OptimizerSpec settings(long epoch, OptimizerSpec initial, OptimizerSpec present) {
    if (epoch > totalSteps) {
      throw new IllegalStateException(
          "one cycle: step %d is after the last of %d; set totalSteps to the number of steps"
              .formatted(epoch, totalSteps));
    }
    double first = maxRate / divisor;
    double last = first / finalDivisor;
    double top = rising * totalSteps - 1;
    if (epoch <= top) {
      return phase(present, epoch / top, first, maxRate, momentum.max, momentum.base);
    }
    if (!threePhases) {
      double share = Math.min(1, (epoch - top) / (totalSteps - 1 - top));
      return phase(present, share, maxRate, last, momentum.base, momentum.max);
    }
    double fallen = 2 * rising * totalSteps - 2;
    if (epoch <= fallen) {
      double share = (epoch - top) / (fallen - top);
      return phase(present, share, maxRate, first, momentum.base, momentum.max);
    }
    double share = Math.min(1, (epoch - fallen) / (totalSteps - 1 - fallen));
    return phase(present, share, first, last, momentum.max, momentum.max);
  }

  private OptimizerSpec phase(
      OptimizerSpec present, double share, double from, double to, double heavy, double light) {
    OptimizerSpec changed = present.withLearningRate(shape.between(from, to, share));
    return momentum.changed("one cycle", changed, shape.between(heavy, light, share));
  }
}
