// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

/// Kernels in the Vector API, on all cores.
///
/// It overrides what gains by it. The rest are plain loops that C2 turns into vector instructions
/// by itself, or too small a part of any model to count.
final class VectorKernels extends ScalarKernels {
  private final Parallel parallel;

  VectorKernels(Parallel parallel) {
    this.parallel = parallel;
  }

  @Override
  public void matmul(MatmulShape shape, float[] a, float[] b, float[] c) {
    VectorMatmul.run(parallel, shape, a, b, c);
  }

  @Override
  public void convolution(ConvolutionShape shape, float[] x, float[] weight, float[] y) {
    new VectorConvolution(parallel, shape).run(x, weight, y);
  }

  @Override
  public void convolutionInputGradient(
      ConvolutionShape shape, float[] weight, float[] gradient, float[] xGradient) {
    new VectorConvolution(parallel, shape).inputGradient(weight, gradient, xGradient);
  }

  @Override
  public void convolutionWeightGradient(
      ConvolutionShape shape, float[] x, float[] gradient, float[] weightGradient) {
    new VectorWeightGradient(parallel, shape).run(x, gradient, weightGradient);
  }

  @Override
  public String toString() {
    return "vectors of " + Tile.SPECIES.vectorBitSize() + " bits";
  }
}
