// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.jmh;

import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.Moments;
import dev.tensorbus.autograd.kernel.shape.NormalizationShape;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// Layer normalization of rows.
public class NormalizationBenchmark extends KernelTwins {
  private static final int ROWS = 256;
  private static final double EPSILON = 1e-5;

  @Param({"64", "256", "1024"})
  private int columns;

  private float[] x = {};
  private float[] y = {};
  private float[] weight = {};
  private float[] bias = {};

  /// Called by JMH.
  public NormalizationBenchmark() {}

  /// Generates the values, and checks that both kernels agree on them.
  @Setup
  public void prepare() {
    x = randoms(ROWS * columns);
    y = new float[x.length];
    weight = randoms(columns);
    bias = randoms(columns);
    requireEqual(normalize(scalar).clone(), normalize(vector), 8);
  }

  /// Normalizes with plain loops.
  @Benchmark
  public float[] scalar() {
    return normalize(scalar);
  }

  /// Normalizes with the Vector API.
  @Benchmark
  public float[] vector() {
    return normalize(vector);
  }

  private float[] normalize(Kernels kernels) {
    NormalizationShape shape = new NormalizationShape(ROWS, columns, columns, 1, EPSILON);
    kernels.normalize(shape, x, weight, bias, Moments.ofGroups(ROWS), y);
    return y;
  }
}
