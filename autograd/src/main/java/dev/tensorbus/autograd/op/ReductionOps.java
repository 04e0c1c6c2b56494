// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
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
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      Shape shape = x.shape();
      double sum = Compute.kernels(x).sum(x.storage());
      return new Result(
          Tensor.full(Shape.SCALAR, x.dtype(), sum),
          (gradient, needed) ->
              new Tensor[] {Tensor.full(shape, gradient.dtype(), gradient.itemDouble())});
    }
  }

  /// See [Tensor#mean].
  public static Tensor mean(Tensor x) {
    if (x.shape().elements() == 0) {
      throw new ShapeException("mean", x.shape() + " has no values");
    }
    return sum(x).scale(1.0 / x.shape().elements());
  }

  /// See [Tensor#argmax].
  public static int[] argmax(Tensor x, int axis) {
    int columns = lastAxis("argmax", x.shape(), axis);
    float[] values = x.values();
    int[] positions = new int[values.length / columns];
    for (int row = 0; row < positions.length; row++) {
      int start = row * columns;
      for (int column = 1; column < columns; column++) {
        if (Float.compare(values[start + column], values[start + positions[row]]) > 0) {
          positions[row] = column;
        }
      }
    }
    return positions;
  }

  /// See [Tensor#logSoftmax].
  public static Tensor logSoftmax(Tensor x, int axis) {
    return new LogSoftmax(lastAxis("logSoftmax", x.shape(), axis)).apply(x);
  }

  private record LogSoftmax(int columns) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      Tensor output = Compute.result(x, x.shape(), (k, y) -> k.logSoftmax(x.storage(), columns, y));
      return new Result(output, new Saved(columns, output));
    }

    private record Saved(int columns, Tensor output) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          Compute.result(
              output,
              output.shape(),
              (k, dx) -> k.logSoftmaxGradient(output.storage(), gradient.storage(), columns, dx))
        };
      }
    }
  }

  /// The size of `axis`, which must be the last one: the only one that lies side by side.
  private static int lastAxis(String operation, Shape shape, int axis) {
    if (shape.rank() == 0 || (axis != -1 && axis != shape.rank() - 1)) {
      throw new ShapeException(
          operation, "axis " + axis + " of " + shape + " is not its last, the only one supported");
    }
    if (shape.size(-1) == 0) {
      throw new ShapeException(operation, shape + " has no values on its last axis");
    }
    return shape.size(-1);
  }
}
