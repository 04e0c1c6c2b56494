// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.jmh;

import dev.tensorbus.autograd.kernel.Kernels;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// Softmax over typical numbers of columns: ten digit classes, a hundred attention scores, and a
/// vocabulary of ten thousand words.
public class SoftmaxBenchmark extends KernelTwins {
  private static final int SIZE = 100_000;

  @Param({"10", "100", "10000"})
  private int columns;

  private float[] x = {};
  private float[] y = {};

  /// Called by JMH.
  public SoftmaxBenchmark() {}

  /// Generates the values, and checks that both kernels agree on them.
  @Setup
  public void prepare() {
    x = randoms(SIZE);
    y = new float[SIZE];
    requireEqual(softmax(scalar).clone(), softmax(vector), 1);
  }

  /// Computes softmax with plain loops.
  @Benchmark
  public float[] scalar() {
    return softmax(scalar);
  }

  /// Computes softmax with the Vector API.
  @Benchmark
  public float[] vector() {
    return softmax(vector);
  }

  private float[] softmax(Kernels kernels) {
    kernels.softmax(x, columns, y);
    return y;
  }
}
