// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;

/// How long the latest steps of a worker took, and how long it is since the last. Its owner guards
/// it.
public final class StepTimes {
  private static final int LATEST = 64;

  /// The first steps are slow, and say nothing of the others.
  private static final int LEAST = 5;

  private static final int TIMES = 10;
  private static final long LEAST_NANOS = Duration.ofSeconds(1).toNanos();

  private final LongSupplier nanoTime;
  private final long[] nanos = new long[LATEST];
  private long steps;
  private long last;

  /// @param nanoTime a clock that never steps, in nanoseconds
  public StepTimes(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /// A step is done.
  public void step() {
    nanos[(int) (steps % LATEST)] = sinceLast();
    steps++;
    last = nanoTime.getAsLong();
  }

  /// How many are done.
  public long steps() {
    return steps;
  }

  /// The nanoseconds since the last step.
  public long sinceLast() {
    return nanoTime.getAsLong() - last;
  }

  /// Whether there were enough steps for [#median] to say something.
  public boolean isSettled() {
    return steps > LEAST;
  }

  /// Whether the present step has taken ten times as long as most of the latest, and at least a
  /// second.
  boolean isStalled() {
    return isSettled() && sinceLast() >= Math.max(LEAST_NANOS, TIMES * median());
  }

  /// The nanoseconds of most of the latest steps, of which there must be two. The first time is
  /// that of no step.
  public long median() {
    int from = steps <= LATEST ? 1 : 0;
    long[] sorted = Arrays.copyOfRange(nanos, from, (int) Math.min(steps, LATEST));
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
