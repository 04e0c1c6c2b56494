// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;
import static dev.tensorbus.autograd.trace.OnnxValue.ints;

import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.shape.Strided;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Broadcasting by numpy's rule: axes are matched from the last one, and an axis that is missing or
/// has size 1 is repeated. The derivative of a repetition is a sum, and vice versa.
public final class Broadcast {
  /// The minimum row length; kernels are slow on shorter rows.
  private static final int SMALLEST_ROW = 16;

  private Broadcast() {}

  /// Returns the broadcast shape of two shapes.
  public static Shape shape(String operation, Shape a, Shape b) {
    int[] sizes = new int[Math.max(a.rank(), b.rank())];
    for (int axis = 1; axis <= sizes.length; axis++) {
      int first = size(a, axis);
      int second = size(b, axis);
      if (first != second && first != 1 && second != 1) {
        throw new ShapeException(
            operation,
            "%s and %s do not fit: sizes %d and %d on axis %d must be equal, or one of them 1"
                .formatted(a, b, first, second, -axis));
      }
      sizes[sizes.length - axis] = first == 1 ? second : first;
    }
    return Shape.of(sizes);
  }

  /// Returns the size of an axis counted from the end, or 1 if it is missing.
  private static int size(Shape shape, int fromEnd) {
    return fromEnd > shape.rank() ? 1 : shape.size(-fromEnd);
  }

  /// Returns whether `shape` equals the last axes of `whole`.
  static boolean isTail(Shape shape, Shape whole) {
    for (int axis = 1; axis <= shape.rank(); axis++) {
      if (axis > whole.rank() || shape.size(-axis) != whole.size(-axis)) {
        return false;
      }
    }
    return true;
  }

  /// Returns the values repeated to fill `shape`.
  public static Tensor expand(Tensor x, Shape shape) {
    if (x.shape().equals(shape)) {
      return x;
    }
    if (x.shape().elements() == 1 && x.dtype().isFloating()) {
      return Tensor.full(shape, x.dtype(), x.itemDouble());
    }
    HeapStorage values = HeapStorage.zeros(x.dtype(), shape.elements());
    Views.gather(repeated(x.shape(), shape), x.heap(), values);
    return Tensor.ofStorage(shape, values);
  }

  /// Returns the values for a kernel that repeats rows to fill `shape`: a single row, which spans
  /// the last axes, if it is long enough, otherwise the result of [#expand].
  static Tensor rows(Tensor x, Shape shape) {
    if (x.shape().elements() >= SMALLEST_ROW && isTail(x.shape(), shape)) {
      return x;
    }
    boolean single = x.shape().elements() == 1 && shape.rank() > 0;
    return single && shape.size(-1) >= SMALLEST_ROW
        ? expand(x, Shape.of(shape.size(-1)))
        : expand(x, shape);
  }

  /// Returns one value for each row of `shape`, where a row spans the last axes, along which `x`
  /// has size 1. Returns null if there are no such axes, the rows are short, or `x` does not fit.
  static @Nullable Tensor oneForEachRow(Tensor x, Shape shape) {
    int[] sizes = shape.toArray();
    int row = 1;
    for (int axis = 1; axis <= sizes.length && size(x.shape(), axis) == 1; axis++) {
      row *= sizes[sizes.length - axis];
      sizes[sizes.length - axis] = 1;
    }
    boolean fits = shape("rows", x.shape(), shape).equals(shape);
    return fits && row >= SMALLEST_ROW && x.shape().elements() > 1
        ? expand(x, Shape.of(sizes))
        : null;
  }

  private static Strided repeated(Shape shape, Shape whole) {
    Strided all = Strided.all(shape.toArray());
    int[] steps = new int[whole.rank()];
    for (int axis = 1; axis <= shape.rank(); axis++) {
      boolean once = shape.size(-axis) == whole.size(-axis);
      steps[steps.length - axis] = once ? all.steps()[shape.rank() - axis] : 0;
    }
    return new Strided(0, whole.toArray(), steps);
  }

  /// Repeats values to fill the shape; see [Tensor#expand].
  public record Expand(Shape shape) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      return expand(inputs[0], shape);
    }

    @Override
    public Derivative derivative(Application of) {
      Shape before = of.shape(0);
      return (gradient, needed) -> new Tensor[] {reduce(gradient, before)};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("Expand").of(inputs[0], ints(shape.toArray()));
    }
  }

  /// Sums a gradient over the repetitions of [#expand], so that it has the given shape.
  public static Tensor reduce(Tensor gradient, Shape shape) {
    return gradient.shape().equals(shape) ? gradient : new SumToSize(shape).inBackward(gradient);
  }

  /// Sums over the repetitions of a tensor. Like `torch.Tensor.sum_to_size`.
  private record SumToSize(Shape shape) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      Shape whole = x.shape();
      if (isTail(shape, whole)) {
        return Compute.result(x, shape, (k, sums) -> k.sumChannels(array(x), 1, sums));
      }
      boolean[] over = new boolean[whole.rank()];
      for (int axis = 1; axis <= over.length; axis++) {
        over[over.length - axis] = size(shape, axis) != whole.size(-axis);
      }
      return new ReducedAxes(whole, over).sums(x).sharedAs(shape);
    }

    @Override
    public Derivative derivative(Application of) {
      Shape before = of.shape(0);
      return (gradient, needed) -> new Tensor[] {new Expand(before).inBackward(gradient)};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      Shape whole = inputs[0].shape();
      if (whole.elements() == 0) {
        return inputs[0].zeros(shape);
      }
      int[] axes =
          IntStream.rangeClosed(1, whole.rank())
              .filter(axis -> size(shape, axis) != whole.size(-axis))
              .map(axis -> whole.rank() - axis)
              .toArray();
      OnnxValue x = inputs[0];
      return (axes.length == 0 ? x : operator("ReduceSum").of(x, ints(axes))).reshaped(shape);
    }
  }
}
