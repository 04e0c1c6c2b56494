// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.jmh;

import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.UnaryFunctions;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// Functions of one number, on as many as are in a hidden layer of a batch.
public class UnaryFunctionBenchmark extends KernelTwins {
  private static final int SIZE = 100_000;

  /// Units in the last place of a value near 1, in those that twins are compared with.
  private static final int ROUNDING = 1;

  @Param({"EXP", "LOG", "TANH", "SIGMOID", "GELU"})
  private UnaryFunctions function = UnaryFunctions.EXP;

  private float[] x = {};
  private float[] y = {};

  /// Made by JMH.
  public UnaryFunctionBenchmark() {}

  /// Draws the values and checks both kernels on them.
  @Setup
  public void prepare() {
    x = randoms(SIZE);
    for (int i = 0; i < SIZE; i++) {
      x[i] = 1 + x[i] * 0.99f;
    }
    y = new float[SIZE];
    requireEqual(map(scalar).clone(), map(vector), ROUNDING);
  }

  /// Plain loops.
  @Benchmark
  public float[] scalar() {
    return map(scalar);
  }

  /// The Vector API.
  @Benchmark
  public float[] vector() {
    return map(vector);
  }

  private float[] map(Kernels kernels) {
    kernels.map(function, x, y);
    return y;
  }
}
