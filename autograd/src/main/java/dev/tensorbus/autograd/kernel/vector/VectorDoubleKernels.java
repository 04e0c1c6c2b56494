// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.scalar.DoubleKernels;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.vector.product.DoubleMatmul;

/// Float64 kernels on all cores, with matrix products in the Vector API. C2 vectorizes the plain
/// loops of the others where it can.
public final class VectorDoubleKernels extends DoubleKernels {
  private final Parallel parallel;

  public VectorDoubleKernels(Parallel parallel) {
    this.parallel = parallel;
  }

  /// [#matmul] and [#matmuls] call it.
  @Override
  public void affine(MatmulShape shape, double[] a, double[] b, double[] bias, double[] c) {
    DoubleMatmul.run(parallel, shape, a, b, bias, c);
  }
}
