// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;
import static dev.tensorbus.autograd.trace.OnnxValue.ints;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.shape.Strided;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.Arrays;
import java.util.stream.IntStream;

/// The axes of a reduction.
///
/// @param shape the shape of the tensor to reduce
/// @param over for each axis, whether it is reduced
public record ReducedAxes(Shape shape, boolean[] over) {
  /// Creates the axes of a reduction; no numbers mean all axes.
  ///
  /// @param operation the name for error messages
  /// @throws ShapeException if there is no such axis
  public static ReducedAxes of(String operation, Shape shape, int... axes) {
    boolean[] over = new boolean[shape.rank()];
    Arrays.fill(over, axes.length == 0);
    for (int axis : axes) {
      over[shape.axis(operation, axis)] = true;
    }
    return new ReducedAxes(shape, over);
  }

  /// Creates the axes of a reduction that needs at least one value.
  ///
  /// @throws ShapeException if there is no such axis or there are no values
  public static ReducedAxes ofSome(String operation, Shape shape, int... axes) {
    ReducedAxes reduced = of(operation, shape, axes);
    if (reduced.count() == 0) {
      String along = axes.length == 0 ? "" : " along the axes " + Arrays.toString(axes);
      throw new ShapeException(operation, shape + " has no values" + along);
    }
    return reduced;
  }

  private IntStream axes(boolean reduced) {
    return IntStream.range(0, over.length).filter(axis -> over[axis] == reduced);
  }

  /// Returns the shape in which the reduced axes have size 1.
  public Shape kept() {
    return Shape.of(
        IntStream.range(0, over.length).map(i -> over[i] ? 1 : shape.size(i)).toArray());
  }

  /// Returns the shape of the result.
  Shape result() {
    return Shape.of(axes(false).map(shape::size).toArray());
  }

  /// Returns the number of values that are reduced to one.
  int count() {
    return axes(true).map(shape::size).reduce(1, (a, b) -> a * b);
  }

  /// Returns the sums of a tensor of this shape, one for each index of the remaining axes.
  Tensor sums(Tensor x) {
    int[] kept = axes(false).toArray();
    Shape result = result();
    if (x.shape().elements() == 0) {
      return Tensor.full(result, x.dtype(), 0);
    }
    if (x.dtype() == DType.INT64) {
      return wholeSums(x, result);
    }
    boolean sideBySide = areNeighbours(kept);
    if (!sideBySide && areNeighbours(axes(true).toArray())) {
      return Compute.result(x, result, (k, y) -> k.sumRows(count(), after(), array(x), y));
    }
    Tensor rows = sideBySide ? x : rows(x);
    int size = sideBySide ? inner(kept) : count();
    return Compute.result(x, result, (k, sums) -> k.sumChannels(array(rows), size, sums));
  }

  private Tensor wholeSums(Tensor x, Shape result) {
    long[] rows = rows(x).longs();
    long[] sums = new long[result.elements()];
    int count = count();
    for (int i = 0; i < rows.length; i++) {
      sums[i / count] += rows[i];
    }
    return Tensor.of(result, sums);
  }

  /// The maxima of a tensor. Reduced axes are kept with size 1.
  ///
  /// @param positions for each maximum, its offset in the tensor; if several values are equal, the
  ///     offset of the first
  record Greatest(Tensor values, int[] positions) {}

  /// Returns the maxima of a tensor of this shape. Adjacent axes are reduced together, the last
  /// ones first.
  Greatest max(Tensor x) {
    int end = over.length;
    while (end > 0 && !over[end - 1]) {
      end--;
    }
    if (end == 0) {
      return new Greatest(x, IntStream.range(0, shape.elements()).toArray());
    }
    int first = end - 1;
    while (first > 0 && over[first - 1]) {
      first--;
    }
    int[] sizes = shape.toArray();
    int rows = IntStream.range(first, end).map(axis -> sizes[axis]).reduce(1, (a, b) -> a * b);
    Arrays.fill(sizes, first, end, 1);
    int[] positions = new int[Shape.of(sizes).elements()];
    Tensor values =
        Compute.result(
            x, Shape.of(sizes), (k, y) -> k.maxRows(rows, after(), array(x), y, positions));
    boolean[] others = over.clone();
    Arrays.fill(others, first, end, false);
    Greatest all = new ReducedAxes(values.shape(), others).max(values);
    return new Greatest(
        all.values(), IntStream.of(all.positions()).map(i -> positions[i]).toArray());
  }

  /// Returns the combined size of the axes after the last reduced one.
  int after() {
    int last = axes(true).max().orElse(shape.rank() - 1);
    return IntStream.range(last + 1, shape.rank()).map(shape::size).reduce(1, (a, b) -> a * b);
  }

  private static boolean areNeighbours(int[] axes) {
    return axes.length == 0 || axes[axes.length - 1] - axes[0] < axes.length;
  }

  /// Returns the combined size of the axes after the last remaining one.
  private int inner(int[] kept) {
    int first = kept.length == 0 ? 0 : kept[kept.length - 1] + 1;
    return IntStream.range(first, shape.rank()).map(shape::size).reduce(1, (a, b) -> a * b);
  }

  /// Returns a tensor of this shape as a matrix. Each row holds the values that are reduced to one.
  Tensor rows(Tensor x) {
    Shape matrix = Shape.of(count() == 0 ? 0 : shape.elements() / count(), count());
    int[] order = order();
    if (IntStream.range(0, order.length).allMatch(i -> order[i] == i)) {
      return x.sharedAs(matrix);
    }
    HeapStorage values = HeapStorage.zeros(x.dtype(), shape.elements());
    Views.gather(Strided.all(shape.toArray()).permuted(order), x.heap(), values);
    return Tensor.ofStorage(matrix, values);
  }

  /// Returns the ONNX node that reduces `x` with `operator`.
  OnnxValue onnx(String operator, Shape result, OnnxValue x) {
    int[] axes = axes(true).toArray();
    if (axes.length == 0) {
      return operator("Identity").of(x);
    }
    return operator(operator)
        .with("keepdims", result.rank() == shape.rank() ? 1 : 0)
        .of(x, ints(axes));
  }

  /// Reverses [#rows]. Reads with strides and writes contiguously, since strided writes are slower
  /// than strided reads.
  Tensor fromRows(Tensor rows) {
    int[] order = order();
    int[] sizes = IntStream.of(order).map(shape::size).toArray();
    HeapStorage values = HeapStorage.zeros(rows.dtype(), shape.elements());
    Views.gather(Strided.all(sizes).permuted(Strided.inverse(order)), rows.heap(), values);
    return Tensor.ofStorage(shape, values);
  }

  /// Returns the remaining axes, followed by the reduced ones.
  int[] order() {
    return IntStream.concat(axes(false), axes(true)).toArray();
  }
}
