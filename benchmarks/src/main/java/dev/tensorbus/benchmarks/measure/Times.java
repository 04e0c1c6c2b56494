// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.measure;

import java.time.Duration;
import java.util.Arrays;

/// How long each of several runs of the same took.
///
/// The warm-ups are those of the same workload on PyTorch, prolonged to [#COMPILATION]: so long
/// the JVM compiles what it runs, and a figure is of what comes after.
public final class Times {
  /// So long the JVM compiles.
  public static final Duration COMPILATION = Duration.ofSeconds(5);

  private static final double NANOS_PER_SECOND = 1e9;

  private final long[] nanos;
  private int count;

  /// Room for as many runs.
  public Times(int capacity) {
    nanos = new long[capacity];
  }

  /// Runs `body` unseen, at least `warmup` times, then `repeats` times on the clock.
  public static Times of(int warmup, int repeats, Runnable body) {
    warmUp(warmup, COMPILATION, body);
    Times times = new Times(repeats);
    for (int run = 0; run < repeats; run++) {
      long start = System.nanoTime();
      body.run();
      times.add(System.nanoTime() - start);
    }
    return times;
  }

  /// Runs `body` on the clock for so long, at least `least` times and at most `most`.
  public static Times during(Duration time, int least, int most, Runnable body) {
    Times times = new Times(most);
    long start = System.nanoTime();
    while (times.count < least
        || (times.count < most && System.nanoTime() - start < time.toNanos())) {
      long run = System.nanoTime();
      body.run();
      times.add(System.nanoTime() - run);
    }
    return times;
  }

  /// Runs `body` at least so often and so long.
  public static void warmUp(int runs, Duration time, Runnable body) {
    long start = System.nanoTime();
    for (int run = 0; run < runs || System.nanoTime() - start < time.toNanos(); run++) {
      body.run();
    }
  }

  /// How many seconds one run takes.
  public static double once(Runnable body) {
    long start = System.nanoTime();
    body.run();
    return (System.nanoTime() - start) / NANOS_PER_SECOND;
  }

  /// Adds a run of so many nanoseconds.
  public void add(long duration) {
    nanos[count++] = duration;
  }

  /// In seconds.
  public double median() {
    return quantile(0.5);
  }

  /// The time, in seconds, that this share of the runs did not reach.
  public double quantile(double fraction) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[Math.min(count - 1, (int) (count * fraction))] / NANOS_PER_SECOND;
  }
}
