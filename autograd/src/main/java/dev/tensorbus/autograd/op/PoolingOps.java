// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.PoolingShape;
import org.jspecify.annotations.Nullable;

/// Operations that make images smaller.
public final class PoolingOps {
  private static final Kernels KERNELS = Kernels.best();

  private PoolingOps() {}

  /// See [Tensor#maxPool2d].
  public static Tensor maxPool2d(Tensor x, int window) {
    Shape shape = x.shape();
    if (shape.rank() != 4) {
      throw new ShapeException("maxPool2d", shape + " has " + shape.rank() + " axes, not four");
    }
    if (window < 1 || window > shape.size(2) || window > shape.size(3)) {
      throw new ShapeException("maxPool2d", "a window of " + window + " does not fit " + shape);
    }
    int planes = shape.size(0) * shape.size(1);
    return new MaxPool2d(new PoolingShape(planes, shape.size(2), shape.size(3), window)).apply(x);
  }

  private record MaxPool2d(PoolingShape shape) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Shape x = inputs[0].shape();
      float[] y = new float[shape.outputs()];
      int[] positions = new int[shape.outputs()];
      KERNELS.maxPool(shape, inputs[0].values(), y, positions);
      Shape result = Shape.of(x.size(0), x.size(1), shape.outputHeight(), shape.outputWidth());
      return new Result(result, y, new Saved(x, positions));
    }

    /// The gradient goes to the value that was the greatest; windows do not overlap.
    private record Saved(Shape shape, int[] positions) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        float[] gradients = new float[shape.elements()];
        float[] values = gradient.values();
        for (int i = 0; i < positions.length; i++) {
          gradients[positions[i]] = values[i];
        }
        return new Tensor[] {Tensor.of(shape, gradients)};
      }
    }
  }
}
