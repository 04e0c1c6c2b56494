// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.layout;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Scattered;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.shape.Strided;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.op.Views;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Copies the values of a view, in which no two indices may refer to the same value of the array.
/// The derivative writes each gradient to the offset from which its value was read.
///
/// @param name the name of the operation
/// @param view the view of the values to copy
/// @param onnx returns the ONNX node of the operation, given its input
/// @param spread returns the ONNX node of the derivative, given the gradient
record StridedCopy(
    String name, Strided view, UnaryOperator<OnnxValue> onnx, UnaryOperator<OnnxValue> spread)
    implements Operation {
  @Override
  public Tensor value(Tensor... inputs) {
    return taken(inputs[0], view);
  }

  @Override
  public Derivative derivative(Application of) {
    return new Saved(of.shape(0), this);
  }

  @Override
  public OnnxValue onnx(OnnxValue.Input... inputs) {
    return onnx.apply(inputs[0]);
  }

  private record Saved(Shape before, StridedCopy copy) implements Derivative {
    @Override
    public @Nullable Tensor[] backward(Tensor gradient, boolean[] needed) {
      return new Tensor[] {new Spread(before, copy).inBackward(gradient)};
    }
  }

  /// Writes gradients to the offsets from which the values were read.
  private record Spread(Shape shape, StridedCopy copy) implements Operation {
    @Override
    public Tensor value(Tensor... inputs) {
      return Tensor.ofLayout(new Part(shape, copy.view(), inputs[0]));
    }

    @Override
    public Derivative derivative(Application of) {
      return (gradient, needed) -> new Tensor[] {copy.inBackward(gradient)};
    }

    @Override
    public OnnxValue onnx(OnnxValue.Input... inputs) {
      return copy.spread().apply(inputs[0]);
    }
  }

  /// A tensor that is zero except for the values of a view.
  private record Part(Shape shape, Strided view, Tensor values) implements Scattered {
    @Override
    public DType dtype() {
      return values.dtype();
    }

    @Override
    public void addTo(HeapStorage sums) {
      Views.add(view, values.heap(), sums);
    }

    @Override
    public HeapStorage dense() {
      HeapStorage dense = HeapStorage.zeros(dtype(), shape.elements());
      Views.scatter(view, values.heap(), dense);
      return dense;
    }
  }

  /// Copies the values of a view.
  private static Tensor taken(Tensor x, Strided view) {
    Shape shape = Shape.of(view.sizes());
    HeapStorage values = HeapStorage.zeros(x.dtype(), shape.elements());
    Views.gather(view, x.heap(), values);
    return Tensor.ofStorage(shape, values);
  }
}
