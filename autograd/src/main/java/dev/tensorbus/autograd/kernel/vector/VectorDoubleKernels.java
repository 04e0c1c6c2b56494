// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.scalar.DoubleKernels;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.vector.product.DoubleMatmul;

/// Kernels of float64 whose products are in the Vector API, on all cores. C2 vectorizes the plain
/// loops of the rest where it can.
public final class VectorDoubleKernels extends DoubleKernels {
  private final Parallel parallel;

  public VectorDoubleKernels(Parallel parallel) {
    this.parallel = parallel;
  }

  /// [#matmul] and [#matmuls] are made of it.
  @Override
  public void affine(MatmulShape shape, double[] a, double[] b, double[] bias, double[] c) {
    DoubleMatmul.run(parallel, shape, a, b, bias, c);
  }
}
