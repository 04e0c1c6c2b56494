// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.axis;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;
import static dev.tensorbus.autograd.trace.OnnxValue.ints;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.op.Compute;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.op.TypeOps;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;

/// Operations whose results depend on all previous values along an axis. On floating-point tensors,
/// they compute in float64 and round each result once, as torch does on a CPU.
public final class ScanOps {
  private ScanOps() {}

  /// See [Tensor#cumsum].
  public static Tensor cumsum(Tensor x, int axis) {
    return new Cumsum(x.shape().axis("cumsum", axis)).apply(TypeOps.summands("cumsum", x));
  }

  private record Cumsum(int axis) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      Tensor x = inputs[0];
      return x.dtype() == DType.INT64
          ? Tensor.of(x.shape(), wholeSums(x))
          : running(x, axis, (sum, value) -> sum + value);
    }

    private long[] wholeSums(Tensor x) {
      long[] sums = x.longs().clone();
      int step = step(x.shape(), axis);
      for (int i = 0; i < sums.length; i++) {
        if (i / step % x.shape().size(axis) > 0) {
          sums[i] += sums[i - step];
        }
      }
      return sums;
    }

    @Override
    public Derivative derivative(Application of) {
      return (gradient, needed) -> new Tensor[] {gradient.flip(axis).cumsum(axis).flip(axis)};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return operator("CumSum").of(inputs[0], OnnxValue.number(axis));
    }
  }

  /// See [Tensor#cumprod].
  public static Tensor cumprod(Tensor x, int axis) {
    Compute.requireFloating("cumprod", x);
    return new Cumprod(x.shape().axis("cumprod", axis)).apply(x);
  }

  private record Cumprod(int axis) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      return running(inputs[0], axis, (product, value) -> product * value);
    }

    @Override
    public Derivative derivative(Application of) {
      return new Cumprod.Saved(axis, of.input(0), of.result());
    }

    /// ONNX has no cumulative product before operator set 26. Therefore, `y[j]` is computed as the
    /// product of all `x[i]`, with values after `j` replaced by ones.
    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      OnnxValue.Input x = inputs[0];
      if (x.shape().elements() == 0) {
        return operator("Identity").of(x); // CUDA's ReduceProd rejects an empty axis
      }
      int size = x.shape().size(axis);
      int[] sizes = new int[x.shape().rank() - axis + 1];
      Arrays.fill(sizes, 1);
      sizes[0] = size;
      sizes[1] = size;
      Tensor counts = Tensor.full(Shape.of(size, size), DType.BOOL, 1).tril(0).reshape(sizes);
      OnnxValue rows = operator("Unsqueeze").of(x, ints(axis));
      OnnxValue factors = operator("Where").of(new OnnxValue.Constant(counts), rows, x.number(1));
      return operator("ReduceProd").with("keepdims", 0).of(factors, ints(axis + 1));
    }

    /// The gradient of `x[i]` is `y[i - 1] * s`, where `dy` is the gradient of `y` and `s` is the
    /// sum of `dy[j] * x[i + 1] * … * x[j]` over all `j >= i`. This avoids a division by `x`, which
    /// may be 0.
    private record Saved(int axis, Tensor x, Tensor y) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {before(y, axis, 1).mul(backwards(axis, x, gradient))};
      }
    }
  }

  /// Computes `y[i] = factors[i] * y[i - 1] + terms[i]` along an axis. The inputs are the factors
  /// and the terms; the first factor is ignored.
  private record Recurrence(int axis) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      double[] factors = Compute.doubles(inputs[0]);
      double[] y = Compute.doubles(inputs[1]).clone();
      int step = step(inputs[1].shape(), axis);
      for (int i = 0; i < y.length; i++) {
        if (i / step % inputs[1].shape().size(axis) > 0) {
          y[i] += factors[i] * y[i - step];
        }
      }
      return Compute.rounded(inputs[1], inputs[1].shape(), y);
    }

    @Override
    public Derivative derivative(Application of) {
      return new Recurrence.Saved(axis, of.input(0), of.result());
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      throw new IllegalStateException(
          "cumprod: ONNX has no operator for its derivative; export only the forward pass");
    }

    private record Saved(int axis, Tensor factors, Tensor y) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        Tensor ofTerms = backwards(axis, factors, gradient);
        return new Tensor[] {ofTerms.mul(before(y, axis, 0)), ofTerms};
      }
    }
  }

  /// Computes `y[i] = factors[i + 1] * y[i + 1] + terms[i]`, from the end of the axis to its start.
  private static Tensor backwards(int axis, Tensor factors, Tensor terms) {
    Tensor next = factors.flip(axis).roll(1, axis);
    return new Recurrence(axis).apply(next, terms.flip(axis)).flip(axis);
  }

  /// Shifts the values by one index toward the end of the axis and puts `first` at the start.
  private static Tensor before(Tensor y, int axis, double first) {
    int size = y.shape().size(axis);
    return y.slice(axis, 0, Math.max(0, size - 1)).pad(axis, Math.min(1, size), 0, first);
  }

  /// Combines each value with the previous result along the axis.
  private static Tensor running(Tensor x, int axis, DoubleBinaryOperator combine) {
    double[] y = Compute.doubles(x).clone();
    int step = step(x.shape(), axis);
    for (int i = 0; i < y.length; i++) {
      if (i / step % x.shape().size(axis) > 0) {
        y[i] = combine.applyAsDouble(y[i - step], y[i]);
      }
    }
    return Compute.rounded(x, x.shape(), y);
  }

  /// Returns the distance between adjacent values along an axis.
  private static int step(Shape shape, int axis) {
    int[] sizes = shape.toArray();
    return Shape.of(Arrays.copyOfRange(sizes, axis + 1, sizes.length)).elements();
  }
}
