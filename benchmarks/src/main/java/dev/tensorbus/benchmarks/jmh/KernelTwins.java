// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.jmh;

import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.scalar.ScalarKernels;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// The base class of the kernel benchmarks: the scalar and the vector kernels, and the settings of
/// JMH. The reasons for these settings:
///
/// - average time: the time until a caller has one result;
/// - microseconds: the smallest kernels take a few, the largest about ten thousand;
/// - two forks: C2 may compile a kernel differently in the next JVM;
/// - one compute thread per fork: the scalar kernels use only one;
/// - five warm-ups of a second: C2 has compiled the largest kernel by the third;
/// - five measurements of a second: enough for an error bar, and for several scalar convolutions;
/// - benchmark scope: threads need no separate arrays, since only one thread runs the benchmark.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 2, jvmArgsAppend = "-Dtensorbus.threads=1")
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Benchmark)
public abstract class KernelTwins {
  private static final float TOLERANCE = 0x1p-16f;

  final Kernels scalar = new ScalarKernels();
  final Kernels vector = Kernels.best();

  private final SplittableRandom random = new SplittableRandom(1);

  /// For subclasses in this package.
  KernelTwins() {}

  final float[] randoms(int length) {
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) random.nextDouble(-1, 1);
    }
    return values;
  }

  /// Checks that both kernels compute the same results.
  ///
  /// @param additions the number of values that are summed up for each result
  /// @throws AssertionError if the results differ by more than rounding errors
  static void requireEqual(float[] wanted, float[] got, int additions) {
    for (int i = 0; i < wanted.length; i++) {
      if (!(Math.abs(wanted[i] - got[i]) <= TOLERANCE * additions)) {
        throw new AssertionError("[" + i + "] is " + got[i] + ", expected " + wanted[i]);
      }
    }
  }
}
