// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import static dev.tensorbus.autograd.op.Compute.array;
import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.shape.Strided;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import dev.tensorbus.autograd.trace.Trace;
import dev.tensorbus.autograd.trace.Traceable;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reductions: operations that combine many values into one.
public final class ReductionOps {
  private ReductionOps() {}

  /// See [Tensor#sum].
  public static Tensor sum(Tensor x, int... axes) {
    ReducedAxes reduced = ReducedAxes.of("sum", x.shape(), axes);
    Operation sum = axes.length == 0 ? new Sum() : new SumOver(reduced, reduced.result());
    return sum.apply(TypeOps.summands("sum", x));
  }

  private record Sum() implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      if (x.dtype() == DType.INT64) {
        return Tensor.of(Shape.SCALAR, new long[] {Arrays.stream(x.longs()).sum()});
      }
      return Tensor.full(Shape.SCALAR, x.dtype(), Compute.kernels(x).sum(array(x)));
    }

    @Override
    public Derivative derivative(Application of) {
      Shape shape = of.shape(0);
      return (gradient, needed) -> new Tensor[] {new Broadcast.Expand(shape).inBackward(gradient)};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      OnnxValue.Input x = inputs[0];
      return x.shape().elements() == 0
          ? x.zeros(Shape.SCALAR)
          : operator("ReduceSum").with("keepdims", 0).of(x);
    }
  }

  private record SumOver(ReducedAxes reduced, Shape shape) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      return reduced.sums(inputs[0]).sharedAs(shape);
    }

    @Override
    public Derivative derivative(Application of) {
      return new SumOver.Saved(reduced);
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      OnnxValue.Input x = inputs[0];
      return x.shape().elements() == 0 ? x.zeros(shape) : reduced.onnx("ReduceSum", shape, x);
    }

    private record Saved(ReducedAxes reduced) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor kept = gradient.reshape(reduced.kept().toArray());
        return new Tensor[] {kept.expand(reduced.shape().toArray())};
      }

      @Override
      public @Nullable Tensor[] fusedBackward(Tensor gradient, boolean[] needed) {
        Tensor kept = gradient.sharedAs(reduced.kept());
        return new Tensor[] {Broadcast.expand(kept, reduced.shape())};
      }
    }
  }

  /// See [Tensor#mean].
  public static Tensor mean(Tensor x, int... axes) {
    Compute.requireFloating("mean", x);
    int count = ReducedAxes.ofSome("mean", x.shape(), axes).count();
    return sum(x, axes).scale(1.0 / count);
  }

  /// See [Tensor#varWithCorrection].
  public static Tensor var(Tensor x, int correction, int... axes) {
    return new Var(spread("var", x, correction, axes)).apply(x);
  }

  /// See [Tensor#stdWithCorrection].
  public static Tensor std(Tensor x, int correction, int... axes) {
    return new Std(spread("std", x, correction, axes)).apply(x);
  }

  private static Spread spread(String operation, Tensor x, int correction, int... axes) {
    Compute.requireFloating(operation, x);
    ReducedAxes reduced = ReducedAxes.ofSome(operation, x.shape(), axes);
    return new Spread(reduced, reduced.result(), reduced.count(), correction);
  }

  /// Computes variances and their gradients.
  ///
  /// @param count the number of values that are reduced to one
  /// @param correction subtracted from `count` in the divisor of the variance
  private record Spread(ReducedAxes reduced, Shape shape, int count, int correction) {
    /// The variances, and the deviations from the means in the layout of [ReducedAxes#rows].
    private record Moments(double[] variances, Tensor deviations) {}

    Moments moments(Tensor x) {
      Tensor rows = reduced.rows(x);
      double[] squares = new double[shape.elements()];
      Tensor deviations =
          Compute.result(
              rows, rows.shape(), (k, y) -> k.deviations(array(rows), count, y, squares));
      for (int i = 0; i < squares.length; i++) {
        squares[i] /= Math.max(0, count - correction);
      }
      return new Moments(squares, deviations);
    }

    /// Returns the gradient of the values, given the gradient of the variances. Agrees with torch
    /// even if `correction` exceeds the number of values.
    private Tensor backward(Tensor x, Tensor gradient) {
      Tensor factors = gradient.scale(2.0 / (count - correction));
      // Centred twice, because the first mean is rounded.
      return centred(centred(x)).mul(factors.reshape(reduced.kept().toArray()));
    }

    private Tensor centred(Tensor x) {
      return x.sub(new SumOver(reduced, reduced.kept()).apply(x).scale(1.0 / count));
    }

    /// Computes the gradient from the deviations that the forward pass saved.
    private Tensor fusedBackward(Tensor deviations, Tensor gradient) {
      Tensor factors = gradient.scale(2.0 / (count - correction));
      Tensor ofRows =
          Compute.result(
              deviations,
              deviations.shape(),
              (k, dx) -> k.scaleRows(array(deviations), array(factors), dx));
      return reduced.fromRows(ofRows);
    }

    OnnxValue onnx(OnnxValue.Input x) {
      OnnxValue mean = reduced.onnx("ReduceMean", reduced.kept(), x);
      OnnxValue deviation = operator("Sub").of(x, mean);
      OnnxValue square = operator("Mul").of(deviation, deviation);
      OnnxValue sum = reduced.onnx("ReduceSum", shape, square);
      return operator("Div").of(sum, x.number(Math.max(0, count - correction)));
    }
  }

  private record Var(Spread spread) implements FusedForward {
    @Override
    public Result forward(Tensor... inputs) {
      Spread.Moments moments = spread.moments(inputs[0]);
      return new Result(
          Compute.rounded(inputs[0], spread.shape(), moments.variances()),
          new Var.Saved(spread, inputs[0], moments.deviations()));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return spread.onnx(inputs[0]);
    }

    private record Saved(Spread spread, Tensor x, Tensor deviations) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {spread.backward(x, gradient)};
      }

      @Override
      public @Nullable Tensor[] fusedBackward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {spread.fusedBackward(deviations, gradient)};
      }
    }
  }

  private record Std(Spread spread) implements FusedForward {
    @Override
    public Result forward(Tensor... inputs) {
      Spread.Moments moments = spread.moments(inputs[0]);
      double[] roots = Arrays.stream(moments.variances()).map(Math::sqrt).toArray();
      Tensor y = Compute.rounded(inputs[0], spread.shape(), roots);
      return new Result(y, new Std.Saved(spread, inputs[0], moments.deviations(), y));
    }

    /// Returns the gradient of the variances. Where all values are equal, the root has no
    /// derivative; like torch, this uses 0.
    private static Tensor ofVariances(Tensor y, Tensor gradient) {
      Tensor zero = Tensor.full(Shape.SCALAR, y.dtype(), 0);
      return gradient.div(y.scale(2)).maskedFill(y.eq(zero), 0);
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("Sqrt").of(spread.onnx(inputs[0]));
    }

    private record Saved(Spread spread, Tensor x, Tensor deviations, Tensor y)
        implements Derivative {
      /// Computes the result again, so that it is recorded.
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor again = new Std(spread).apply(x);
        return new Tensor[] {spread.backward(x, ofVariances(again, gradient))};
      }

      @Override
      public @Nullable Tensor[] fusedBackward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {spread.fusedBackward(deviations, ofVariances(y, gradient))};
      }
    }
  }

  /// See [Tensor#max].
  public static Tensor max(Tensor x, int... axes) {
    return max("max", x, axes);
  }

  /// See [Tensor#min].
  public static Tensor min(Tensor x, int... axes) {
    Compute.requireFloating("min", x);
    return max("min", x.neg(), axes).neg();
  }

  private static Tensor max(String operation, Tensor x, int... axes) {
    Compute.requireFloating(operation, x);
    ReducedAxes reduced = ReducedAxes.ofSome(operation, x.shape(), axes);
    return new Max(reduced).apply(x);
  }

  private record Max(ReducedAxes reduced) implements FusedForward {
    @Override
    public Result forward(Tensor... inputs) {
      ReducedAxes.Greatest greatest = reduced.max(inputs[0]);
      return new Result(
          greatest.values().sharedAs(reduced.result()),
          Trace.isOn()
              ? new Max.Traced(reduced, inputs[0])
              : new Max.Saved(reduced.shape(), greatest.positions()));
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return reduced.onnx("ReduceMax", reduced.result(), inputs[0]);
    }

    /// Adds each gradient at the index of the maximum.
    private record Saved(Shape shape, int[] positions) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {ValuesAt.add(positions, gradient, shape)};
      }
    }

    /// The same by operations that a trace records: offsets would be constants there.
    private record Traced(ReducedAxes reduced, Tensor x) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        int[] order = reduced.order();
        Tensor ordered = x.permute(order);
        int count = reduced.count();
        Tensor places = ordered.reshape(-1, count).argmax(1).unsqueeze(1);
        Tensor rows =
            Tensor.full(Shape.of(places.shape().size(0), count), x.dtype(), 0)
                .scatterAdd(1, places, gradient.reshape(-1, 1));
        Tensor all = rows.reshape(ordered.shape().toArray());
        return new Tensor[] {all.permute(Strided.inverse(order))};
      }
    }
  }

  /// See [Tensor#argmax].
  public static Tensor argmax(Tensor x, int axis) {
    Compute.requireFloating("argmax", x);
    ReducedAxes reduced = ReducedAxes.ofSome("argmax", x.shape(), axis);
    return Trace.run(
        new Argmax(x.shape().axis("argmax", axis)), () -> argmax(x.detach(), reduced), x);
  }

  private static Tensor argmax(Tensor x, ReducedAxes reduced) {
    int[] positions = reduced.max(x).positions();
    int step = reduced.after();
    int size = reduced.count();
    long[] indices = Arrays.stream(positions).mapToLong(p -> p / step % size).toArray();
    return Tensor.of(reduced.result(), indices);
  }

  private record Argmax(int axis) implements Traceable {
    @Override
    public String name() {
      return "argmax";
    }

    @Override
    public List<OnnxValue> onnxResults(OnnxValue.Input... inputs) {
      return List.of(operator("ArgMax").with("axis", axis).with("keepdims", 0).of(inputs[0]));
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
      return Compute.result(x, x.shape(), (k, to) -> k.softmax(array(x), columns, to));
    }

    @Override
    public Derivative derivative(Application of) {
      return new Softmax.Saved(columns, of.result());
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("Softmax").with("axis", -1).of(inputs[0]);
    }

    private record Saved(int columns, Tensor y) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor product = gradient.mul(y);
        return new Tensor[] {product.sub(y.mul(product.sum(-1).unsqueeze(-1)))};
      }

      @Override
      public @Nullable Tensor[] fusedBackward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          Compute.result(
              y, y.shape(), (k, dx) -> k.softmaxGradient(array(y), array(gradient), columns, dx))
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
      return Compute.result(x, x.shape(), (k, to) -> k.logSoftmax(array(x), columns, to));
    }

    @Override
    public Derivative derivative(Application of) {
      return new LogSoftmax.Saved(columns, of.result());
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("LogSoftmax").with("axis", -1).of(inputs[0]);
    }

    private record Saved(int columns, Tensor y) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor sums = gradient.sum(-1).unsqueeze(-1);
        Tensor nothing = sums.eq(Tensor.full(Shape.SCALAR, sums.dtype(), 0));
        return new Tensor[] {gradient.sub(y.exp().mul(sums).maskedFill(nothing, 0))};
      }

      @Override
      public @Nullable Tensor[] fusedBackward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          Compute.result(
              y, y.shape(), (k, dx) -> k.logSoftmaxGradient(array(y), array(gradient), columns, dx))
        };
      }
    }
  }

  private static int rowSize(String operation, Tensor x, int axis) {
    Compute.requireFloating(operation, x);
    return x.shape().size(x.shape().axis(operation, axis));
  }

  /// Applies `onRows`, which works along the last axis, to any axis by transposing it to the end
  /// and back.
  private static Tensor alongLast(String operation, Tensor x, int axis, Operation onRows) {
    int last = x.shape().rank() - 1;
    if (x.shape().elements() == 0 || x.shape().axis(operation, axis) == last) {
      return onRows.apply(x);
    }
    return onRows.apply(x.transpose(axis, last)).transpose(axis, last);
  }
}
