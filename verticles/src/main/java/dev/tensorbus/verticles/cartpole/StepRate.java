// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

/// Counts episodes, their steps, and the time that they take. For one thread.
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

  /// How many episodes there were.
  public int episodes() {
    return episodes;
  }

  /// How many seconds they took.
  public double seconds() {
    return nanos / 1e9;
  }

  /// The steps of all observers in a second.
  public double perSecond() {
    return steps / seconds();
  }

  @Override
  public String toString() {
    return "%d episodes, %d steps, %.1f s, %.0f steps/s"
        .formatted(episodes, steps, seconds(), perSecond());
  }
}
