// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.schedule;

import dev.tensorbus.optim.MomentumSpec;
import dev.tensorbus.optim.OptimizerSpec;

/// Lets the rate rise to a maximum and fall to next to nothing, and the momentum do the opposite,
/// one step an epoch. After torch's `OneCycleLR` (Smith and Topin, "Super-Convergence").
///
/// @param maxRate the greatest rate
/// @param totalSteps how many steps the cycle has
/// @param rising the share of the steps in which the rate rises
/// @param shape of the curves
/// @param momentum between which bounds the momentum goes
/// @param divisor the first rate is the greatest divided by this
/// @param finalDivisor the last rate is the first divided by this
/// @param threePhases whether the rate falls as it has risen, then to the last
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

  /// How a value gets from one number to another.
  public enum Shape {
    /// Along half a cosine.
    COSINE {
      @Override
      double between(double start, double end, double share) {
        return end + (start - end) / 2 * (Math.cos(Math.PI * share) + 1);
      }
    },
    /// Straight.
    LINEAR {
      @Override
      double between(double start, double end, double share) {
        return (end - start) * share + start;
      }
    };

    abstract double between(double start, double end, double share);
  }

  /// The bounds of the momentum, of Adam's kin `beta1`.
  ///
  /// @param base that at the greatest rate
  /// @param max that at the first and the last
  public record Momentum(double base, double max) {
    /// Leaves the momentum as it is.
    public static final Momentum UNCHANGED = new Momentum(Double.NaN, Double.NaN);

    /// The settings with this momentum, or as they are if it is to stay.
    OptimizerSpec changed(String schedule, OptimizerSpec settings, double momentum) {
      if (Double.isNaN(base)) {
        return settings;
      }
      if (!(settings instanceof MomentumSpec moving)) {
        throw new IllegalArgumentException(
            "%s: %s has no momentum to change; say withMomentum(Momentum.UNCHANGED)"
                .formatted(schedule, settings));
      }
      return moving.withMomentum(momentum);
    }
  }

  /// Checks the settings.
  public OneCycleLr {
    ScheduleChecks.require(
        totalSteps > 0, "one cycle: total steps " + totalSteps + " must be above 0");
    ScheduleChecks.require(
        rising >= 0 && rising <= 1, "one cycle: rising share " + rising + " must be in [0, 1]");
  }

  /// The cycle with torch's other settings.
  public OneCycleLr(double maxRate, long totalSteps) {
    this(maxRate, totalSteps, 0.3, Shape.COSINE, new Momentum(0.85, 0.95), 25, 1e4, false);
  }

  /// The same with another share of steps in which the rate rises.
  public OneCycleLr withRising(double rising) {
    return new OneCycleLr(
        maxRate, totalSteps, rising, shape, momentum, divisor, finalDivisor, threePhases);
  }

  /// The same with curves of this shape.
  public OneCycleLr withShape(Shape shape) {
    return new OneCycleLr(
        maxRate, totalSteps, rising, shape, momentum, divisor, finalDivisor, threePhases);
  }

  /// The same with these bounds of the momentum; [Momentum#UNCHANGED] for optimizers without.
  public OneCycleLr withMomentum(Momentum momentum) {
    return new OneCycleLr(
        maxRate, totalSteps, rising, shape, momentum, divisor, finalDivisor, threePhases);
  }

  /// The same with another first and last rate.
  public OneCycleLr withDivisors(double divisor, double finalDivisor) {
    return new OneCycleLr(
        maxRate, totalSteps, rising, shape, momentum, divisor, finalDivisor, threePhases);
  }

  /// The same with three phases or two.
  public OneCycleLr withThreePhases(boolean threePhases) {
    return new OneCycleLr(
        maxRate, totalSteps, rising, shape, momentum, divisor, finalDivisor, threePhases);
  }

  @Override
  public OptimizerSpec settings(long epoch, OptimizerSpec initial, OptimizerSpec present) {
    if (epoch > totalSteps) {
      throw new IllegalStateException(
          "one cycle: step %d is after the last of %d; make the cycle as long as the training"
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
