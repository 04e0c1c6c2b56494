// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.axis;

import dev.tensorbus.autograd.Axes;
import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.Compute;
import java.util.Arrays;
import java.util.stream.IntStream;

/// Norms, and logarithms of sums of exponentials. They are composed of other operations and need no
/// separate derivatives.
public final class NormOps {
  private NormOps() {}

  /// See [Tensor#norm].
  public static Tensor norm(Tensor x) {
    int[] all = IntStream.range(0, x.shape().rank()).toArray();
    return normOver(x, Axes.of(all), 2);
  }

  /// See [Tensor#normOver].
  public static Tensor normOver(Tensor x, Axes axes, double order) {
    Compute.requireFloating("norm", x);
    if (!(order > 0)) {
      throw new IllegalArgumentException(
          "norm: order " + order + "; expected a positive number, such as 1 or 2, or infinity");
    }
    int count = count("norm", x.shape(), axes);
    if (Double.isInfinite(order)) {
      requireSome("norm", count, x.shape(), axes);
      return x.abs().maxOver(axes);
    }
    if (order == 1) {
      return x.abs().sumOver(axes);
    }
    Tensor powers = order == 2 ? x.mul(x) : x.abs().pow(order);
    return root(powers.sumOver(axes), order);
  }

  /// Returns the roots of the given order. Their derivative at 0 is 0, as in torch.
  private static Tensor root(Tensor sums, double order) {
    Tensor none = sums.eq(Tensor.full(Shape.SCALAR, sums.dtype(), 0));
    Tensor some = sums.maskedFill(none, 1);
    return (order == 2 ? some.sqrt() : some.pow(1 / order)).maskedFill(none, 0);
  }

  /// See [Tensor#logsumexp]. Subtracts the maximum first, so that no exponential overflows. An
  /// infinite maximum is clamped to the largest finite number, so that the difference is defined.
  public static Tensor logsumexp(Tensor x, Axes axes) {
    Compute.requireFloating("logsumexp", x);
    requireSome("logsumexp", count("logsumexp", x.shape(), axes), x.shape(), axes);
    Tensor greatest = x.detach().maxOver(axes.keepDim());
    double most = x.dtype() == DType.FLOAT64 ? Double.MAX_VALUE : Float.MAX_VALUE;
    Tensor shift = greatest.clamp(-most, most);
    Tensor logs = x.sub(shift).exp().sumOver(axes).log();
    return logs.add(shift.reshape(logs.shape().toArray()));
  }

  /// Returns the number of values that are reduced to one.
  private static int count(String operation, Shape shape, Axes axes) {
    return IntStream.of(axes.numbers())
        .map(axis -> shape.size(shape.axis(operation, axis)))
        .reduce(1, (a, b) -> a * b);
  }

  private static void requireSome(String operation, int count, Shape shape, Axes axes) {
    if (count == 0) {
      throw new ShapeException(
          operation, shape + " has no values along the axes " + Arrays.toString(axes.numbers()));
    }
  }
}
