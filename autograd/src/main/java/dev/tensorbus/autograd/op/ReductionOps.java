// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Kernels;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Operations in which many values make one.
public final class ReductionOps {
  private static final Kernels KERNELS = Kernels.best();

  private ReductionOps() {}

  /// See [Tensor#sum].
  public static Tensor sum(Tensor x) {
    return new Sum().apply(x);
  }

  private record Sum() implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Shape shape = inputs[0].shape();
      return new Result(
          Shape.SCALAR,
          new float[] {KERNELS.sum(inputs[0].values())},
          (gradient, needed) -> {
            float[] gradients = new float[shape.elements()];
            Arrays.fill(gradients, gradient.item());
            return new Tensor[] {Tensor.of(shape, gradients)};
          });
    }
  }

  /// See [Tensor#mean].
  public static Tensor mean(Tensor x) {
    if (x.shape().elements() == 0) {
      throw new ShapeException("mean", x.shape() + " has no values");
    }
    return sum(x).scale(1f / x.shape().elements());
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
      float[] output = new float[inputs[0].shape().elements()];
      KERNELS.logSoftmax(inputs[0].values(), columns, output);
      return new Result(inputs[0].shape(), output, new Saved(columns, output));
    }

    private record Saved(int columns, float[] output) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        float[] gradients = new float[output.length];
        KERNELS.logSoftmaxGradient(output, gradient.values(), columns, gradients);
        return new Tensor[] {Tensor.of(gradient.shape(), gradients)};
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
