// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.scalar;

import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import org.jspecify.annotations.Nullable;

/// Float32 convolutions, computed in float64 and rounded once.
final class RoundedConvolution {
  private RoundedConvolution() {}

  static void run(
      ConvolutionShape shape, float[] x, float[] weight, float @Nullable [] bias, float[] y) {
    double[] exact = new double[y.length];
    DoubleKernels.INSTANCE.convolution(
        shape, Rounding.widened(x), Rounding.widened(weight), widened(bias), exact);
    Rounding.round(exact, y);
  }

  static void runInputGradient(
      ConvolutionShape shape,
      float[] weight,
      float[] gradient,
      float @Nullable [] bias,
      float[] xGradient) {
    double[] exact = new double[xGradient.length];
    DoubleKernels.INSTANCE.convolutionInputGradient(
        shape, Rounding.widened(weight), Rounding.widened(gradient), widened(bias), exact);
    Rounding.round(exact, xGradient);
  }

  private static double @Nullable [] widened(float @Nullable [] bias) {
    return bias == null ? null : Rounding.widened(bias);
  }
}
