// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Axes;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.onnx.graph.Nodes;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Traceable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operations in which many values make one.
public final class ReductionOps {
  private ReductionOps() {}

  /// See [Tensor#sum].
  public static Tensor sum(Tensor x) {
    Compute.requireFloating("sum", x);
    return new Sum().apply(x);
  }

  private record Sum() implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      return Tensor.full(Shape.SCALAR, x.dtype(), Compute.kernels(x).sum(x.storage()));
    }

    @Override
    public Derivative derivative(Application of) {
      Shape shape = of.shape(0);
      return (gradient, needed) ->
          new Tensor[] {Tensor.full(shape, gradient.dtype(), gradient.itemDouble())};
    }

    @Override
    public String onnx(Nodes nodes) {
      return nodes.node("ReduceSum").with("keepdims", 0).of(nodes.x());
    }
  }

  /// See [Tensor#mean].
  public static Tensor mean(Tensor x) {
    if (x.shape().elements() == 0) {
      throw new ShapeException("mean", x.shape() + " has no values");
    }
    return sum(x).scale(1.0 / x.shape().elements());
  }

  /// See [Tensor#sumOver].
  public static Tensor sumOver(Tensor x, Axes axes) {
    Compute.requireFloating("sumOver", x);
    Reduced reduced = Reduced.of("sumOver", x.shape(), axes);
    return new SumOver(reduced, reduced.result(axes)).apply(x);
  }

  private record SumOver(Reduced reduced, Shape shape) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      return reduced.sums(inputs[0]).sharedAs(shape);
    }

    @Override
    public Derivative derivative(Application of) {
      return new SumOver.Saved(reduced);
    }

    @Override
    public String onnx(Nodes nodes) {
      return reduced.onnx("ReduceSum", shape, nodes);
    }

    private record Saved(Reduced reduced) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor kept = gradient.sharedAs(reduced.kept());
        return new Tensor[] {Broadcast.expand(kept, reduced.shape())};
      }
    }
  }

  /// See [Tensor#meanOver].
  public static Tensor meanOver(Tensor x, Axes axes) {
    return sumOver(x, axes).scale(1.0 / requireSome("meanOver", x, axes));
  }

  private static int requireSome(String operation, Tensor x, Axes axes) {
    int count = Reduced.of(operation, x.shape(), axes).count();
    if (count == 0) {
      throw new ShapeException(
          operation,
          x.shape() + " has no values along the axes " + Arrays.toString(axes.numbers()));
    }
    return count;
  }

  /// See [Tensor#varOver].
  public static Tensor varOver(Tensor x, Axes axes, int correction) {
    int count = requireSome("varOver", x, axes);
    Tensor deviation = x.sub(meanOver(x, axes.keepDim()));
    return sumOver(deviation.mul(deviation), axes).scale(1.0 / Math.max(0, count - correction));
  }

  /// See [Tensor#maxOver].
  public static Tensor maxOver(Tensor x, Axes axes) {
    Compute.requireFloating("maxOver", x);
    requireSome("maxOver", x, axes);
    Reduced reduced = Reduced.of("maxOver", x.shape(), axes);
    return new MaxOver(reduced, reduced.result(axes)).apply(x);
  }

  private record MaxOver(Reduced reduced, Shape shape) implements TwofoldOperation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor rows = reduced.rows(inputs[0]);
      int[] positions = new int[rows.shape().size(0)];
      Tensor greatest = maxRows(rows, shape, positions);
      return new Result(greatest, new MaxOver.Saved(reduced, rows.shape(), positions));
    }

    @Override
    public String onnx(Nodes nodes) {
      return reduced.onnx("ReduceMax", shape, nodes);
    }

    /// To the value that was the greatest.
    private record Saved(Reduced reduced, Shape rows, int[] positions) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor toRows =
            Compute.sums(gradient, rows, (k, dx) -> k.addAt(positions, gradient.storage(), dx));
        return new Tensor[] {reduced.fromRows(toRows)};
      }
    }
  }

  private static Tensor maxRows(Tensor rows, Shape shape, int[] positions) {
    int columns = rows.shape().size(1);
    return Compute.result(rows, shape, (k, y) -> k.maxRows(rows.storage(), columns, y, positions));
  }

  /// See [Tensor#argmax].
  public static Tensor argmax(Tensor x, int axis) {
    Compute.requireFloating("argmax", x);
    Axes axes = Axes.of(axis);
    requireSome("argmax", x, axes);
    Reduced reduced = Reduced.of("argmax", x.shape(), axes);
    Tensor rows = reduced.rows(x.detach());
    int[] positions = new int[rows.shape().size(0)];
    maxRows(rows, Shape.of(positions.length), positions);
    int columns = rows.shape().size(1);
    long[] indices = Arrays.stream(positions).mapToLong(p -> p % columns).toArray();
    Tensor index = Tensor.ofStorage(reduced.result(axes), indices);
    return Trace.noted(new Argmax(x.shape().axis("argmax", axis)), index, x);
  }

  private record Argmax(int axis) implements Traceable {
    @Override
    public String name() {
      return "argmax";
    }

    @Override
    public List<String> onnxResults(Nodes nodes) {
      return List.of(nodes.node("ArgMax").with("axis", axis).with("keepdims", 0).of(nodes.x()));
    }
  }

  /// See [Tensor#softmax].
  public static Tensor softmax(Tensor x, int axis) {
    return alongLast("softmax", x, axis, new Softmax(rowSize("softmax", x, axis)));
  }

  private record Softmax(int columns) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      return Compute.result(x, x.shape(), (k, to) -> k.softmax(x.storage(), columns, to));
    }

    @Override
    public Derivative derivative(Application of) {
      return new Softmax.Saved(columns, of.result());
    }

    @Override
    public String onnx(Nodes nodes) {
      return nodes.node("Softmax").with("axis", -1).of(nodes.x());
    }

    private record Saved(int columns, Tensor y) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          Compute.result(
              y,
              y.shape(),
              (k, dx) -> k.softmaxGradient(y.storage(), gradient.storage(), columns, dx))
        };
      }
    }
  }

  /// See [Tensor#logSoftmax].
  public static Tensor logSoftmax(Tensor x, int axis) {
    return alongLast("logSoftmax", x, axis, new LogSoftmax(rowSize("logSoftmax", x, axis)));
  }

  private record LogSoftmax(int columns) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      return Compute.result(x, x.shape(), (k, to) -> k.logSoftmax(x.storage(), columns, to));
    }

    @Override
    public Derivative derivative(Application of) {
      return new LogSoftmax.Saved(columns, of.result());
    }

    @Override
    public String onnx(Nodes nodes) {
      return nodes.node("LogSoftmax").with("axis", -1).of(nodes.x());
    }

    private record Saved(int columns, Tensor y) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          Compute.result(
              y,
              y.shape(),
              (k, dx) -> k.logSoftmaxGradient(y.storage(), gradient.storage(), columns, dx))
        };
      }
    }
  }

  private static int rowSize(String operation, Tensor x, int axis) {
    Compute.requireFloating(operation, x);
    return x.shape().size(x.shape().axis(operation, axis));
  }

  /// Runs an operation on rows, whichever axis they lie along.
  private static Tensor alongLast(String operation, Tensor x, int axis, Operation onRows) {
    int last = x.shape().rank() - 1;
    if (x.shape().elements() == 0 || x.shape().axis(operation, axis) == last) {
      return onRows.apply(x);
    }
    return onRows.apply(x.transpose(axis, last)).transpose(axis, last);
  }
}
