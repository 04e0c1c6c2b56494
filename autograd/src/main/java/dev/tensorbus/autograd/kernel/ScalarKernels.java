// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// The specification of every kernel, as plain loops.
final class ScalarKernels implements Kernels {
  @Override
  public void add(float[] a, float[] b, float[] sum) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] = a[i] + b[i];
    }
  }

  @Override
  public void relu(float[] x, float[] output) {
    for (int i = 0; i < output.length; i++) {
      output[i] = Math.max(x[i], 0f);
    }
  }

  @Override
  public void reluGradient(float[] output, float[] gradient, float[] xGradient) {
    for (int i = 0; i < xGradient.length; i++) {
      xGradient[i] = output[i] > 0f ? gradient[i] : 0f;
    }
  }
}
