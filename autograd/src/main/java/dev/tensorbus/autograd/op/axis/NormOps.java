// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.axis;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.op.ReducedAxes;

/// Norms, and logarithms of sums of exponentials. They are composed of other operations and need no
/// separate derivatives.
public final class NormOps {
  private NormOps() {}

  /// See [Tensor#vectorNorm].
  public static Tensor vectorNorm(Tensor x, double order, int... axes) {
    Compute.requireFloating("vectorNorm", x);
    if (!(order > 0)) {
      throw new IllegalArgumentException(
          "vectorNorm: order %s; expected a positive number, such as 1 or 2, or infinity"
              .formatted(order));
    }
    if (Double.isInfinite(order)) {
      ReducedAxes.ofSome("vectorNorm", x.shape(), axes);
      return x.abs().max(axes);
    }
    ReducedAxes.of("vectorNorm", x.shape(), axes);
    if (order == 1) {
      return x.abs().sum(axes);
    }
    Tensor powers = order == 2 ? x.square() : x.abs().pow(order);
    return root(powers.sum(axes), order);
  }

  /// Returns the roots of the given order. Their derivative at 0 is 0, as in torch.
  private static Tensor root(Tensor sums, double order) {
    Tensor none = sums.eq(Tensor.full(Shape.SCALAR, sums.dtype(), 0));
    Tensor some = sums.maskedFill(none, 1);
    return (order == 2 ? some.sqrt() : some.pow(1 / order)).maskedFill(none, 0);
  }

  /// See [Tensor#logsumexp]. Subtracts the maximum first, so that no exponential overflows. An
  /// infinite maximum is clamped to the largest finite number, so that the difference is defined.
  public static Tensor logsumexp(Tensor x, int... axes) {
    Compute.requireFloating("logsumexp", x);
    int[] kept = ReducedAxes.ofSome("logsumexp", x.shape(), axes).kept().toArray();
    double most = x.dtype() == DType.FLOAT64 ? Double.MAX_VALUE : Float.MAX_VALUE;
    Tensor shift = x.detach().max(axes).clamp(-most, most);
    return x.sub(shift.reshape(kept)).exp().sum(axes).log().add(shift);
  }
}
