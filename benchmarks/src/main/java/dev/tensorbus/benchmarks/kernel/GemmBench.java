// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.kernel;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.benchmarks.measure.Figure;
import dev.tensorbus.benchmarks.measure.KernelBenchmark;
import dev.tensorbus.benchmarks.measure.Times;
import dev.tensorbus.verticles.worker.Startup;
import java.util.SplittableRandom;

/// Measures products of square matrices, with as many runs as the PyTorch benchmark.
public final class GemmBench {
  private static final int[] SIZES = {64, 128, 256, 512, 1024};
  private static final int SAMPLES = 9;
  private static final double WORK_OF_A_SAMPLE = 1e9;
  private static final int LEAST_REPEATS = 5;

  private GemmBench() {}

  /// Prints the figures for this JVM's number of threads.
  public static void main(String[] arguments) {
    Startup.begin();
    SplittableRandom random = new SplittableRandom(1);
    for (int size : SIZES) {
      IO.println(measure(size, random));
    }
  }

  private static Figure measure(int size, SplittableRandom random) {
    Tensor a = Tensor.randn(random, size, size);
    Tensor b = Tensor.randn(random, size, size);
    double operations = 2.0 * size * size * size;
    int repeats = Math.max(LEAST_REPEATS, (int) (WORK_OF_A_SAMPLE / operations));
    Times times = Times.of(1, SAMPLES, () -> multiply(a, b, repeats));
    double rate = operations * repeats / times.median() / 1e9;
    return new Figure("gemm." + size + KernelBenchmark.suffix(), rate, "GFLOP/s");
  }

  private static void multiply(Tensor a, Tensor b, int repeats) {
    for (int repeat = 0; repeat < repeats; repeat++) {
      a.matmul(b);
    }
  }
}
