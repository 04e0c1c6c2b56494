// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Axes;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;

/// Norms, and the logarithms of sums of exponentials. Other operations express them, so they have
/// no derivatives of their own.
final class Norms {
  private Norms() {}

  /// See [Tensor#normOver].
  static Tensor norm(Tensor x, Axes axes, double order) {
    if (!(order > 0)) {
      throw new IllegalArgumentException(
          "norm: order " + order + " is not positive; expected 1, 2, infinity or another");
    }
    if (Double.isInfinite(order)) {
      return x.abs().maxOver(axes);
    }
    if (order == 1) {
      return x.abs().sumOver(axes);
    }
    Tensor powers = order == 2 ? x.mul(x) : x.abs().pow(order);
    return root(powers.sumOver(axes), order);
  }

  /// At 0 the root has no derivative; as in torch it is taken for 0.
  private static Tensor root(Tensor sums, double order) {
    Tensor none = sums.eq(Tensor.full(Shape.SCALAR, sums.dtype(), 0));
    Tensor some = sums.maskedFill(none, 1);
    return (order == 2 ? some.sqrt() : some.pow(1 / order)).maskedFill(none, 0);
  }

  /// See [Tensor#logsumexp]. The greatest value is taken away first, so that no exponential
  /// overflows; an infinite one leaves no difference, so it stays.
  static Tensor logsumexp(Tensor x, Axes axes) {
    Tensor greatest = x.detach().maxOver(axes.keepDim());
    Tensor infinity = Tensor.full(Shape.SCALAR, x.dtype(), Double.POSITIVE_INFINITY);
    Tensor shift = greatest.maskedFill(greatest.abs().eq(infinity), 0);
    Tensor logs = x.sub(shift).exp().sumOver(axes).log();
    return logs.add(shift.reshape(logs.shape().toArray()));
  }
}
