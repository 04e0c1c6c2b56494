// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.jmh;

import dev.tensorbus.autograd.kernel.Kernels;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// Mean 0 and variance 1 for rows, as layer normalization needs them.
public class StandardizeBenchmark extends KernelTwins {
  private static final int ROWS = 256;
  private static final double EPSILON = 1e-5;

  @Param({"64", "256", "1024"})
  private int columns;

  private float[] x = {};
  private float[] y = {};
  private float[] mean = {};
  private float[] variance = {};

  /// Made by JMH.
  public StandardizeBenchmark() {}

  /// Draws the values and checks both kernels on them.
  @Setup
  public void prepare() {
    x = randoms(ROWS * columns);
    y = new float[x.length];
    mean = new float[ROWS];
    variance = new float[ROWS];
    requireEqual(standardize(scalar).clone(), standardize(vector), 8);
  }

  /// Plain loops.
  @Benchmark
  public float[] scalar() {
    return standardize(scalar);
  }

  /// The Vector API.
  @Benchmark
  public float[] vector() {
    return standardize(vector);
  }

  private float[] standardize(Kernels kernels) {
    kernels.standardize(x, columns, EPSILON, mean, variance, y);
    return y;
  }
}
