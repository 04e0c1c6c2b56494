// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.jmh;

import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.UnaryFunctions;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// Unary functions, on about as many values as a hidden layer computes for a batch.
public class UnaryFunctionBenchmark extends KernelTwins {
  private static final int SIZE = 100_000;

  /// The tolerance, as a multiple of the tolerance of [KernelTwins].
  private static final int ROUNDING = 1;

  @Param({"EXP", "LOG", "TANH", "SIGMOID", "GELU"})
  private UnaryFunctions function = UnaryFunctions.EXP;

  private float[] x = {};
  private float[] y = {};

  /// Called by JMH.
  public UnaryFunctionBenchmark() {}

  /// Generates the values, and checks that both kernels agree on them.
  @Setup
  public void prepare() {
    x = randoms(SIZE);
    for (int i = 0; i < SIZE; i++) {
      x[i] = 1 + x[i] * 0.99f;
    }
    y = new float[SIZE];
    requireEqual(map(scalar).clone(), map(vector), ROUNDING);
  }

  /// Applies the function with plain loops.
  @Benchmark
  public float[] scalar() {
    return map(scalar);
  }

  /// Applies the function with the Vector API.
  @Benchmark
  public float[] vector() {
    return map(vector);
  }

  private float[] map(Kernels kernels) {
    kernels.map(function, x, y);
    return y;
  }
}
