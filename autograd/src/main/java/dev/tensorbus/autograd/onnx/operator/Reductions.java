// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.operator;

import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.stream.IntStream;

/// Operators that combine values along axes.
final class Reductions {
  private Reductions() {}

  /// Combines the values along some axes, which the result does not have.
  @FunctionalInterface
  private interface Reduction {
    Tensor apply(Tensor x, int... axes);
  }

  static void addTo(OperatorTable table) {
    add(table, "ReduceSum", Tensor::sum);
    add(table, "ReduceMean", Tensor::mean);
    add(table, "ReduceMax", Tensor::max);
    add(table, "ReduceMin", Tensor::min);
    add(table, "ReduceProd", Reductions::product);
    add(table, "ReduceL1", (x, axes) -> x.vectorNorm(1, axes));
    add(table, "ReduceL2", (x, axes) -> x.vectorNorm(2, axes));
    add(table, "ReduceSumSquare", (x, axes) -> x.square().sum(axes));
    add(table, "ReduceLogSum", (x, axes) -> x.sum(axes).log());
    add(table, "ReduceLogSumExp", Tensor::logsumexp);
    table.add("CumSum", Reductions::cumSum);
  }

  private static void add(OperatorTable table, String name, Reduction reduction) {
    table.add(name, call -> reduced(call, reduction));
  }

  /// No axes mean all axes, unless `noop_with_empty_axes` is set: then each value is reduced alone,
  /// so that an L1 norm is the absolute value.
  private static Tensor reduced(NodeCall call, Reduction reduction) {
    Tensor x = call.x();
    int[] given = call.axes(1);
    boolean isAll = given.length == 0 && !call.flag("noop_with_empty_axes", false);
    int[] axes = isAll ? IntStream.range(0, x.shape().rank()).toArray() : given;
    Tensor result =
        axes.length == 0
            ? Elementwise.numeric(values -> reduction.apply(values.unsqueeze(0), 0), x)
            : Elementwise.numeric(values -> reduction.apply(values, axes), x);
    return call.flag("keepdims", true) ? result.reshape(kept(x, axes)) : result;
  }

  private static int[] kept(Tensor x, int... axes) {
    int[] sizes = x.shape().toArray();
    Arrays.stream(axes).forEach(axis -> sizes[x.shape().axis("reduce", axis)] = 1);
    return sizes;
  }

  private static Tensor product(Tensor x, int... axes) {
    Tensor product = x;
    for (int axis : axes) {
      int size = product.shape().size(axis);
      Tensor ones = Tensor.full(product.shape(), x.dtype(), 1);
      product =
          size == 0
              ? ones.sum(axis).addScalar(1).unsqueeze(axis)
              : product.cumprod(axis).slice(axis, size - 1, size);
    }
    int[] rest =
        IntStream.range(0, x.shape().rank())
            .filter(axis -> Arrays.stream(axes).noneMatch(a -> x.shape().axis("", a) == axis))
            .map(axis -> x.shape().size(axis))
            .toArray();
    return product.reshape(rest);
  }

  private static Tensor cumSum(NodeCall call) {
    int axis = call.ints(1)[0];
    if (call.flag("exclusive", false)) {
      throw call.unsupported("exclusive");
    }
    return call.flag("reverse", false)
        ? call.x().flip(axis).cumsum(axis).flip(axis)
        : call.x().cumsum(axis);
  }
}
