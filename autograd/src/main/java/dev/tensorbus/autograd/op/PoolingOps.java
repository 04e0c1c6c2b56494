// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.PoolingShape;
import org.jspecify.annotations.Nullable;

/// Operations that make images smaller.
public final class PoolingOps {
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
    Compute.requireFloating("maxPool2d", x);
    int planes = shape.size(0) * shape.size(1);
    return new MaxPool2d(new PoolingShape(planes, shape.size(2), shape.size(3), window)).apply(x);
  }

  private record MaxPool2d(PoolingShape shape) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Tensor x = inputs[0];
      int[] positions = new int[shape.outputs()];
      Shape result =
          Shape.of(x.shape().size(0), x.shape().size(1), shape.outputHeight(), shape.outputWidth());
      return new Result(
          Compute.result(x, result, (k, y) -> k.maxPool(shape, x.storage(), y, positions)),
          new Saved(x.shape(), positions));
    }

    /// The gradient goes to the value that was the greatest.
    private record Saved(Shape shape, int[] positions) implements Derivative {
      @Override
      public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
        return new Tensor[] {
          Compute.result(gradient, shape, (k, dx) -> k.addAt(positions, gradient.storage(), dx))
        };
      }
    }
  }
}
