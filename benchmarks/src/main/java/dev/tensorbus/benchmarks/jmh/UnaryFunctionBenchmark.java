// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.jmh;

import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.UnaryFunctions;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// Unary functions, on as many values as a hidden layer has for a batch.
public class UnaryFunctionBenchmark extends KernelTwins {
  private static final int SIZE = 100_000;

  /// The tolerance, in units of the tolerance of [KernelTwins].
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
