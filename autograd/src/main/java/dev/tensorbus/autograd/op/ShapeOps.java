// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;

/// Operations that change the shape and share the values.
public final class ShapeOps {
  private ShapeOps() {}

  /// See [Tensor#reshape].
  public static Tensor reshape(Tensor x, int... sizes) {
    Shape shape = Shape.of(sizes);
    if (shape.elements() != x.shape().elements()) {
      throw new ShapeException(
          "reshape",
          x.shape()
              + " holds "
              + x.shape().elements()
              + " values, "
              + shape
              + " needs "
              + shape.elements());
    }
    return new Reshape(shape).apply(x);
  }

  /// See [Tensor#flatten].
  public static Tensor flatten(Tensor x, int startAxis) {
    Shape shape = x.shape();
    if (startAxis < 0 || startAxis >= shape.rank()) {
      throw new ShapeException(
          "flatten",
          shape + " has no axis " + startAxis + "; its axes are 0 to " + (shape.rank() - 1));
    }
    int[] sizes = Arrays.copyOf(shape.toArray(), startAxis + 1);
    for (int axis = startAxis + 1; axis < shape.rank(); axis++) {
      sizes[startAxis] *= shape.size(axis);
    }
    return new Reshape(Shape.of(sizes)).apply(x);
  }

  private record Reshape(Shape shape) implements Operation {
    @Override
    public Result forward(Tensor... inputs) {
      Shape before = inputs[0].shape();
      return new Result(
          Tensor.ofStorage(shape, inputs[0].storage()),
          (gradient, needed) -> new Tensor[] {Tensor.ofStorage(before, gradient.storage())});
    }
  }
}
