// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.simulation;

import java.util.random.RandomGenerator;

/// The random times that trainers take for a step.
public enum StepTimes {
  /// Steady jitter: log-normal with median 1 and sigma 0.5.
  LOGNORMAL {
    @Override
    public double next(int trainer, RandomGenerator random) {
      return Math.exp(random.nextGaussian() * SIGMA);
    }
  },

  /// Rare pauses, such as preemption: 1, but 10 for one step in twenty.
  PAUSES {
    @Override
    public double next(int trainer, RandomGenerator random) {
      return random.nextDouble() < PAUSED ? PAUSE : 1;
    }
  },

  /// A slow machine: 4 for the first trainer, 1 for the others.
  STRAGGLER {
    @Override
    public double next(int trainer, RandomGenerator random) {
      return trainer == 0 ? SLOW : 1;
    }
  };

  private static final double SIGMA = 0.5;
  private static final double PAUSED = 0.05;
  private static final double PAUSE = 10;
  private static final double SLOW = 4;

  /// Returns the time of a trainer's next step.
  public abstract double next(int trainer, RandomGenerator random);
}
