// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.time.Duration;
import java.util.Arrays;

/// The durations of a worker's latest steps, and the time since the last step. Not thread-safe.
public final class StepTimes {
  private static final int LATEST = 64;

  /// The median is used only after this many steps, because the first steps are slow.
  private static final int LEAST = 5;

  private static final int TIMES = 10;
  private static final long LEAST_NANOS = Duration.ofSeconds(1).toNanos();

  private final NanoClock clock;
  private final long[] nanos = new long[LATEST];
  private long steps;
  private long last;

  public StepTimes(NanoClock clock) {
    this.clock = clock;
  }

  /// Records a completed step.
  public void step() {
    nanos[(int) (steps % LATEST)] = sinceLast();
    steps++;
    last = clock.nanoTime();
  }

  /// Returns the number of completed steps.
  public long steps() {
    return steps;
  }

  /// Returns the nanoseconds since the last step.
  public long sinceLast() {
    return clock.nanoTime() - last;
  }

  /// Returns whether there were enough steps for [#median] to be meaningful.
  public boolean isSettled() {
    return steps > LEAST;
  }

  /// Returns whether the current step has taken ten times the median, and at least a second.
  boolean isStalled() {
    return isSettled() && sinceLast() >= Math.max(LEAST_NANOS, TIMES * median());
  }

  /// Returns the median duration of the latest steps in nanoseconds. Requires at least two steps:
  /// the first recorded time is skipped, because it does not measure a step.
  public long median() {
    int from = steps <= LATEST ? 1 : 0;
    long[] sorted = Arrays.copyOfRange(nanos, from, (int) Math.min(steps, LATEST));
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
