// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.neural;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;
import static dev.tensorbus.autograd.trace.OnnxValue.ints;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.shape.PoolingShape;
import dev.tensorbus.autograd.kernel.shape.Window;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.op.FusedForward;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.op.layout.Positions;
import dev.tensorbus.autograd.trace.OnnxOperator;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Operations that make images smaller.
public final class PoolingOps {
  private PoolingOps() {}

  /// See [Tensor#maxPool2d].
  public static Tensor maxPool2d(Tensor x, int window) {
    Shape shape = x.shape();
    requireImages("maxPool2d", shape);
    if (window < 1 || window > shape.size(2) || window > shape.size(3)) {
      throw new ShapeException("maxPool2d", "a window of " + window + " does not fit " + shape);
    }
    Compute.requireFloating("maxPool2d", x);
    int planes = shape.size(0) * shape.size(1);
    return new MaxPool2d(new PoolingShape(planes, shape.size(2), shape.size(3), window)).apply(x);
  }

  /// Checks that there are images.
  public static void requireImages(String operation, Shape shape) {
    if (shape.rank() != 4) {
      throw new ShapeException(operation, shape + " has " + shape.rank() + " axes, not four");
    }
  }

  private record MaxPool2d(PoolingShape shape) implements FusedForward {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      int[] positions = new int[shape.outputs()];
      Shape result =
          Shape.of(x.shape().size(0), x.shape().size(1), shape.outputHeight(), shape.outputWidth());
      return new Result(
          Compute.result(x, result, (k, y) -> k.maxPool(shape, x.storage(), y, positions)),
          new Greatest(x.shape(), positions));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("MaxPool")
          .with("kernel_shape", shape.window(), shape.window())
          .with("strides", shape.window(), shape.window())
          .of(inputs[0]);
    }
  }

  /// The gradient goes to the value that was the greatest.
  private record Greatest(Shape shape, int[] positions) implements Operation.Derivative {
    @Override
    public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
      return new Tensor[] {
        Compute.result(gradient, shape, (k, dx) -> k.addAt(positions, gradient.storage(), dx))
      };
    }
  }

  /// See [dev.tensorbus.nn.functional.Poolings#maxPool2d].
  public static Tensor maxPool2d(Tensor x, Sliding.Pair kernel, Sliding sliding) {
    requireFit("maxPool2d", x.shape(), kernel, sliding);
    Compute.requireFloating("maxPool2d", x);
    if (kernel.rows() == kernel.columns() && sliding.equals(Sliding.ONE.withStride(kernel))) {
      return maxPool2d(x, kernel.rows());
    }
    Window rows = rows(x.shape(), kernel, sliding);
    Window columns = columns(x.shape(), kernel, sliding);
    return greatest(
        x,
        IntStream.range(0, rows.outputs()).mapToObj(i -> inside(rows, i)).toArray(int[][]::new),
        IntStream.range(0, columns.outputs())
            .mapToObj(i -> inside(columns, i))
            .toArray(int[][]::new),
        images -> sliding(rows, columns).of(images));
  }

  private static OnnxOperator sliding(Window rows, Window columns) {
    return operator("MaxPool")
        .with("kernel_shape", rows.kernel(), columns.kernel())
        .with("strides", rows.stride(), columns.stride())
        .with("pads", rows.padding(), columns.padding(), rows.padding(), columns.padding())
        .with("dilations", rows.dilation(), columns.dilation());
  }

  /// Checks that a window fits: with padding it may not look at padding alone.
  public static void requireFit(
      String operation, Shape shape, Sliding.Pair kernel, Sliding sliding) {
    requireImages(operation, shape);
    Sliding.Pair padding = sliding.padding();
    if (2 * padding.rows() > kernel.rows() || 2 * padding.columns() > kernel.columns()) {
      throw new ShapeException(
          operation, "a padding of %s is more than half of %s".formatted(padding, kernel));
    }
    if (rows(shape, kernel, sliding).outputs() < 1
        || columns(shape, kernel, sliding).outputs() < 1) {
      throw new ShapeException(operation, "a window of " + kernel + " does not fit " + shape);
    }
  }

  private static Window rows(Shape shape, Sliding.Pair kernel, Sliding sliding) {
    return new Window(
        shape.size(2),
        kernel.rows(),
        sliding.stride().rows(),
        sliding.padding().rows(),
        sliding.dilation().rows());
  }

  private static Window columns(Shape shape, Sliding.Pair kernel, Sliding sliding) {
    return new Window(
        shape.size(3),
        kernel.columns(),
        sliding.stride().columns(),
        sliding.padding().columns(),
        sliding.dilation().columns());
  }

  /// The places of an axis that a window covers, without padding.
  private static int[] inside(Window window, int output) {
    return IntStream.range(0, window.kernel())
        .map(tap -> output * window.stride() + tap * window.dilation() - window.padding())
        .filter(position -> 0 <= position && position < window.size())
        .toArray();
  }

  /// See [dev.tensorbus.nn.functional.Poolings#adaptiveMaxPool2d].
  public static Tensor adaptiveMaxPool2d(Tensor x, Sliding.Pair size) {
    requireImages("adaptiveMaxPool2d", x.shape());
    Compute.requireFloating("adaptiveMaxPool2d", x);
    int[][] rows = adaptiveWindows(x.shape().size(2), size.rows());
    int[][] columns = adaptiveWindows(x.shape().size(3), size.columns());
    return greatest(x, rows, columns, images -> adaptive(images, rows, columns));
  }

  /// ONNX's windows are all of one size: the greatest values of each window of columns, and of
  /// these those of each window of rows.
  private static OnnxValue adaptive(OnnxValue images, int[][] rows, int[][] columns) {
    List<OnnxValue> across = new ArrayList<>();
    for (int[] window : columns) {
      across.add(greatest(images, 3, window));
    }
    OnnxValue narrow = operator("Concat").with("axis", 3).of(across.toArray(OnnxValue[]::new));
    List<OnnxValue> down = new ArrayList<>();
    for (int[] window : rows) {
      down.add(greatest(narrow, 2, window));
    }
    return operator("Concat").with("axis", 2).of(down.toArray(OnnxValue[]::new));
  }

  private static OnnxValue greatest(OnnxValue x, int axis, int[] window) {
    OnnxValue start = ints(window[0]);
    OnnxValue end = ints(window[window.length - 1] + 1);
    OnnxValue part = operator("Slice").of(x, start, end, ints(axis));
    return operator("ReduceMax").of(part, ints(axis));
  }

  /// For each of as many windows as wanted the places that it covers: all, and as evenly as may
  /// be.
  public static int[][] adaptiveWindows(int size, int wanted) {
    IntFunction<int[]> window =
        i ->
            IntStream.range(Math.floorDiv(i * size, wanted), Math.ceilDiv((i + 1) * size, wanted))
                .toArray();
    return IntStream.range(0, wanted).mapToObj(window).toArray(int[][]::new);
  }

  /// The greatest values where each of the rows' windows crosses each of the columns'.
  private static Tensor greatest(
      Tensor x, int[][] rows, int[][] columns, UnaryOperator<OnnxValue> onnx) {
    Shape shape = x.shape();
    Shape result = Shape.of(shape.size(0), shape.size(1), rows.length, columns.length);
    return new MaxOfWindows(result, rows, columns, onnx).apply(x);
  }

  private record MaxOfWindows(
      Shape result, int[][] rows, int[][] columns, UnaryOperator<OnnxValue> onnx)
      implements FusedForward {
    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return onnx.apply(inputs[0]);
    }

    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      int taps = longest(rows) * longest(columns);
      int[] seen = seen(x.shape(), taps);
      Object values = x.dtype().newArray(seen.length);
      Positions.take(x.storage(), 0, seen, values, 0);
      int[] greatest = new int[result.elements()];
      Tensor y = Compute.result(x, result, (k, max) -> k.maxRows(taps, 1, values, max, greatest));
      Arrays.setAll(greatest, i -> seen[greatest[i]]);
      return new Result(y, new Greatest(x.shape(), greatest));
    }

    private static int longest(int[][] windows) {
      return Arrays.stream(windows).mapToInt(window -> window.length).max().orElse(0);
    }

    /// Where in `shape` the values of all windows lie, `taps` of each: one with fewer has its
    /// first several times.
    private int[] seen(Shape shape, int taps) {
      int[] seen = new int[result.elements() * taps];
      int width = shape.size(3);
      int next = 0;
      for (int plane = 0; plane < shape.size(0) * shape.size(1); plane++) {
        for (int[] down : rows) {
          for (int[] across : columns) {
            int start = plane * shape.size(2) * width;
            Arrays.fill(seen, next, next + taps, start + down[0] * width + across[0]);
            int at = next;
            for (int row : down) {
              for (int column : across) {
                seen[at++] = start + row * width + column;
              }
            }
            next += taps;
          }
        }
      }
      return seen;
    }
  }
}
