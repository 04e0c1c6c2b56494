// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.ops;

import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;
import dev.tensorbus.benchmarks.measure.Times;
import java.time.Duration;
import java.util.function.Supplier;

/// One operation on data of its own.
///
/// @param name its group and its own name, such as `reduce.softmax1.4096`
/// @param preparation makes the data and gives the work on them. An operation that nobody measures
///     has no data, and the data of two never lie in memory together.
record Operation(String name, Supplier<Runnable> preparation) {
  private static final Duration WARMUP = Duration.ofMillis(400);
  private static final Duration TIME = Duration.ofMillis(800);
  private static final int LEAST_WARMUPS = 3;
  private static final int LEAST_RUNS = 5;
  private static final int MOST_RUNS = 100_000;

  /// The median, in microseconds, of 0.8 s after 0.4 s of warm-up, as on PyTorch. Operations share
  /// kernels: after [Times#COMPILATION] for each, all would take twenty minutes, not five.
  Figure measure() {
    Runnable work = preparation.get();
    Times.warmUp(LEAST_WARMUPS, WARMUP, work);
    Times times = Times.during(TIME, LEAST_RUNS, MOST_RUNS, work);
    return new Figure("ops." + name + KernelBenchmark.suffix(), times.median() * 1e6, "us");
  }

  /// Its name, for reports of tests.
  @Override
  public String toString() {
    return name;
  }
}
