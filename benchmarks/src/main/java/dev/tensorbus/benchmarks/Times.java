// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks;

import java.util.Arrays;

/// How long each of several runs of the same took.
final class Times {
  private static final double NANOS_PER_SECOND = 1e9;

  private final long[] nanos;
  private int count;

  /// Room for as many runs.
  Times(int capacity) {
    nanos = new long[capacity];
  }

  /// Runs `body` a number of times unseen, then `repeats` times on the clock.
  static Times of(int warmup, int repeats, Runnable body) {
    for (int run = 0; run < warmup; run++) {
      body.run();
    }
    Times times = new Times(repeats);
    for (int run = 0; run < repeats; run++) {
      long start = System.nanoTime();
      body.run();
      times.add(System.nanoTime() - start);
    }
    return times;
  }

  void add(long duration) {
    nanos[count++] = duration;
  }

  /// In seconds.
  double median() {
    return quantile(0.5);
  }

  /// The time, in seconds, that this share of the runs did not reach.
  double quantile(double fraction) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[Math.min(count - 1, (int) (count * fraction))] / NANOS_PER_SECOND;
  }
}
