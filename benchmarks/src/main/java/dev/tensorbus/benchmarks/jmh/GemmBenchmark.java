// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.jmh;

import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// Products of square matrices.
public class GemmBenchmark extends KernelTwins {
  @Param({"64", "100", "256", "512"})
  private int size;

  private MatmulShape shape = MatmulShape.of(0, 0, 0);
  private float[] a = {};
  private float[] b = {};
  private float[] c = {};

  /// Called by JMH.
  public GemmBenchmark() {}

  /// Generates the matrices, and checks that both kernels agree on them.
  @Setup
  public void prepare() {
    shape = MatmulShape.of(size, size, size);
    a = randoms(size * size);
    b = randoms(size * size);
    c = new float[size * size];
    requireEqual(product(scalar, c.clone()), product(vector, c.clone()), size);
  }

  /// Multiplies with plain loops.
  @Benchmark
  public float[] scalar() {
    return product(scalar, c);
  }

  /// Multiplies with the Vector API.
  @Benchmark
  public float[] vector() {
    return product(vector, c);
  }

  private float[] product(Kernels kernels, float[] into) {
    kernels.matmul(shape, a, b, into);
    return into;
  }
}
