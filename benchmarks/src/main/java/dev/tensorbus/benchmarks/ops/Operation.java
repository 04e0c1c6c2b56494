// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.ops;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;
import dev.tensorbus.benchmarks.measure.Times;
import java.time.Duration;
import java.util.function.Supplier;

/// An operation to measure.
///
/// @param name the group and the operation, such as `reduce.softmax1.4096`
/// @param preparation creates the data and returns the work to measure; called only when the
///     operation is measured, so that at most one operation's data are in memory
record Operation(String name, Supplier<Runnable> preparation) {
  private static final Duration WARMUP = Duration.ofMillis(400);
  private static final Duration TIME = Duration.ofMillis(800);
  private static final int LEAST_WARMUPS = 3;
  private static final int LEAST_RUNS = 5;
  private static final int MOST_RUNS = 100_000;

  /// Returns the median duration in microseconds over 0.8 s after 0.4 s of warm-up, as in the
  /// PyTorch benchmark. Operations share kernels, so they do not need a warm-up of
  /// [Times#COMPILATION] each, which would prolong the benchmark from five minutes to twenty.
  Figure measure() {
    Runnable work = preparation.get();
    Times.warmUp(LEAST_WARMUPS, WARMUP, work);
    Times times = Times.during(TIME, LEAST_RUNS, MOST_RUNS, work);
    return new Figure("ops." + name + KernelBenchmark.suffix(), times.median() * 1e6, "us");
  }

  /// Returns the operation's name, for test reports.
  @Override
  public String toString() {
    return name;
  }
}
