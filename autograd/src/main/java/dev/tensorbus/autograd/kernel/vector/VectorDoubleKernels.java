// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.scalar.DoubleKernels;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.vector.product.DoubleMatmul;

/// Float64 kernels. Matrix products use the Vector API on all cores. The other kernels are the
/// plain loops of [DoubleKernels], which C2 vectorizes where it can.
public final class VectorDoubleKernels extends DoubleKernels {
  private final Parallel parallel;

  public VectorDoubleKernels(Parallel parallel) {
    this.parallel = parallel;
  }

  /// Uses the Vector API. So do [#matmul] and [#matmuls], which call this method.
  @Override
  public void affine(MatmulShape shape, double[] a, double[] b, double[] bias, double[] c) {
    DoubleMatmul.run(parallel, shape, a, b, bias, c);
  }
}
