// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// The arithmetic that operations are made of, over arrays in row-major order. Nothing is allocated
/// and no shape is checked here. [ScalarKernels] says what each method computes.
public interface Kernels {
  /// The fastest kernels that this JVM offers.
  static Kernels best() {
    return new ScalarKernels();
  }

  /// `sum[i] = a[i] + b[i]`.
  void add(float[] a, float[] b, float[] sum);

  /// `output[i] = max(x[i], 0)`.
  void relu(float[] x, float[] output);

  /// `xGradient[i] = output[i] > 0 ? gradient[i] : 0`.
  void reluGradient(float[] output, float[] gradient, float[] xGradient);
}
