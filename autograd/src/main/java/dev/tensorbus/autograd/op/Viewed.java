// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Strided;
import dev.tensorbus.autograd.onnx.graph.Nodes;
import dev.tensorbus.autograd.trace.Application;
import org.jspecify.annotations.Nullable;

/// Takes some of the values in another order, none twice; the gradient goes back to where they
/// were.
///
/// @param name the operation
/// @param view where the values lie
/// @param spelling how ONNX says it
record Viewed(String name, Strided view, Spelling spelling) implements Operation {
  @Override
  public Tensor value(Tensor... inputs) {
    return taken(inputs[0], view);
  }

  @Override
  public Derivative derivative(Application of) {
    return new Saved(of.shape(0), view);
  }

  @Override
  public String onnx(Nodes nodes) {
    return spelling.say(nodes);
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
