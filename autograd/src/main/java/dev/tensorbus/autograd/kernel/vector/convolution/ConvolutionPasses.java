// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;

/// The three passes of a convolution, each by the kernel that suits its shape.
public record ConvolutionPasses(Parallel parallel, ConvolutionShape shape) {
  /// Computes the results.
  public void run(float[] x, float[] weight, float[] y) {
    if (DirectConvolution.suits(shape)) {
      new DirectConvolution(parallel, shape).run(x, weight, y);
    } else {
      new VectorConvolution(parallel, shape).run(x, weight, y);
    }
  }

  /// Computes the inputs' gradients.
  public void runInputGradient(float[] weight, float[] gradient, float[] xGradient) {
    if (DirectConvolution.suits(shape)) {
      new DirectConvolution(parallel, shape).runInputGradient(weight, gradient, xGradient);
    } else {
      new VectorInputGradient(parallel, shape).run(weight, gradient, xGradient);
    }
  }

  /// Computes the weights' gradients.
  public void runWeightGradient(float[] x, float[] gradient, float[] weightGradient) {
    if (DirectConvolution.suits(shape)) {
      new DirectConvolution(parallel, shape).runWeightGradient(x, gradient, weightGradient);
    } else {
      new VectorWeightGradient(parallel, shape).run(x, gradient, weightGradient);
    }
  }
}
