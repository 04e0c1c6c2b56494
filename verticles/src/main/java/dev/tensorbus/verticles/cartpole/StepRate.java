// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

/// Counts steps and the time that they take.
final class StepRate {
  private long steps;
  private long nanos;

  void add(long moreSteps, long moreNanos) {
    steps += moreSteps;
    nanos += moreNanos;
  }

  long steps() {
    return steps;
  }

  double seconds() {
    return nanos / 1e9;
  }

  double perSecond() {
    return steps / seconds();
  }
}
