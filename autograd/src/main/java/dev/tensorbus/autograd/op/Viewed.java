// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Strided;
import org.jspecify.annotations.Nullable;

/// Takes some of the values in another order, none twice; the gradient goes back to where they
/// were.
///
/// @param name the operation
/// @param view where the values lie
record Viewed(String name, Strided view) implements Operation {
  @Override
  public Result forward(Tensor... inputs) {
    return new Result(taken(inputs[0], view), new Saved(inputs[0].shape(), view));
  }

  private record Saved(Shape before, Strided view) implements Derivative {
    @Override
    public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
      Object values = gradient.dtype().newArray(before.elements());
      view.scatter(gradient.storage(), values);
      return new Tensor[] {Tensor.ofStorage(before, values)};
    }
  }

  /// The values of a view, copied.
  static Tensor taken(Tensor x, Strided view) {
    Shape shape = Shape.of(view.sizes());
    Object values = x.dtype().newArray(shape.elements());
    view.gather(x.storage(), values);
    return Tensor.ofStorage(shape, values);
  }
}
