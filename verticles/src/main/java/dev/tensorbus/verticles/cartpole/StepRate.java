// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

/// Counts episodes and their steps, and adds up their durations. Not thread-safe.
public final class StepRate {
  private int episodes;
  private long steps;
  private long nanos;

  StepRate() {}

  void add(long moreSteps, long moreNanos) {
    episodes++;
    steps += moreSteps;
    nanos += moreNanos;
  }

  /// Returns the number of episodes.
  public int episodes() {
    return episodes;
  }

  /// Returns the total duration of the episodes in seconds.
  public double seconds() {
    return nanos / 1e9;
  }

  /// Returns the number of steps per second, summed over all observers.
  public double perSecond() {
    return steps / seconds();
  }

  @Override
  public String toString() {
    return "%d episodes, %d steps, %.1f s, %.0f steps/s"
        .formatted(episodes, steps, seconds(), perSecond());
  }
}
