// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.measure;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;

/// The durations of several runs of the same work.
///
/// A warm-up has as many runs as in the PyTorch benchmarks but takes at least [#COMPILATION], so
/// that the JVM has compiled the code before it is measured.
public final class Times {
  /// The time that the JVM needs to compile a workload.
  public static final Duration COMPILATION = Duration.ofSeconds(5);

  private static final double NANOS_PER_SECOND = 1e9;
  private static final int MIB = 1 << 20;

  private final long[] nanos;
  private int count;

  /// Creates an instance with room for `capacity` runs.
  public Times(int capacity) {
    nanos = new long[capacity];
  }

  /// Runs `body` at least `warmup` times as a warm-up, then measures `repeats` runs.
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

  /// Measures runs of `body` for the given time, at least `least` and at most `most` runs.
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

  /// Runs `body` at least `runs` times and for at least the given time.
  public static void warmUp(int runs, Duration time, Runnable body) {
    long start = System.nanoTime();
    for (int run = 0; run < runs || System.nanoTime() - start < time.toNanos(); run++) {
      body.run();
    }
  }

  /// Allocates until the garbage collector has run, so that new arrays consist of pages that have
  /// been touched. The first touch of a result's pages can take longer than computing it.
  public static void touchNewArrays() {
    long before = collections();
    while (collections() == before) {
      byte[] _ = new byte[MIB];
    }
  }

  private static long collections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }

  /// Returns the duration of one run in seconds.
  public static double once(Runnable body) {
    long start = System.nanoTime();
    body.run();
    return (System.nanoTime() - start) / NANOS_PER_SECOND;
  }

  /// Adds the duration of a run in nanoseconds.
  public void add(long duration) {
    nanos[count++] = duration;
  }

  /// Returns the median in seconds.
  public double median() {
    return quantile(0.5);
  }

  /// Returns a quantile in seconds.
  public double quantile(double fraction) {
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[Math.min(count - 1, (int) (count * fraction))] / NANOS_PER_SECOND;
  }
}
