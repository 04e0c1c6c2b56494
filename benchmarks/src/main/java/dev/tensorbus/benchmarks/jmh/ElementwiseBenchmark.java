// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.benchmarks.jmh;

import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.UnaryFunctions;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/// Elementwise operations: an addition, which is a plain loop in both kernels because C2 vectorizes
/// it, and the gradient of ReLU, whose condition C2 does not vectorize.
public class ElementwiseBenchmark extends KernelTwins {
  @Param({"1000", "1000000"})
  private int size;

  private float[] a = {};
  private float[] b = {};
  private float[] result = {};

  /// Called by JMH.
  public ElementwiseBenchmark() {}

  /// Generates the values, and checks that both kernels agree on them.
  @Setup
  public void prepare() {
    a = randoms(size);
    b = randoms(size);
    result = new float[size];
    requireEqual(add(scalar).clone(), add(vector), 0);
    requireEqual(reluGradient(scalar).clone(), reluGradient(vector), 0);
  }

  /// Adds with the scalar kernels.
  @Benchmark
  public float[] scalarAdd() {
    return add(scalar);
  }

  /// Adds with the vector kernels.
  @Benchmark
  public float[] vectorAdd() {
    return add(vector);
  }

  /// Computes the gradient of ReLU with plain loops.
  @Benchmark
  public float[] scalarReluGradient() {
    return reluGradient(scalar);
  }

  /// Computes the gradient of ReLU with the Vector API.
  @Benchmark
  public float[] vectorReluGradient() {
    return reluGradient(vector);
  }

  private float[] add(Kernels kernels) {
    kernels.add(a, b, result);
    return result;
  }

  private float[] reluGradient(Kernels kernels) {
    kernels.mapGradient(UnaryFunctions.RELU, a, b, result);
    return result;
  }
}
