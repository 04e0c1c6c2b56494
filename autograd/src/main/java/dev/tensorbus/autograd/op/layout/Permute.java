// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.layout;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.shape.Strided;
import dev.tensorbus.autograd.op.Operation;
import dev.tensorbus.autograd.op.Views;
import dev.tensorbus.autograd.trace.Application;
import dev.tensorbus.autograd.trace.OnnxValue;

/// Reorders axes; the derivative restores their order.
///
/// @param order axis `i` of the result is axis `order[i]`
record Permute(String name, int... order) implements Operation {
  @Override
  public Tensor value(Tensor... inputs) {
    Tensor x = inputs[0];
    Strided view = Strided.all(x.shape().toArray()).permuted(order);
    Strided joined = view.joined();
    HeapStorage values = HeapStorage.zeros(x.dtype(), x.shape().elements());
    if (x.dtype() == DType.FLOAT32 && values.length() > 0 && joined.isTransposed()) {
      int[] matrix = joined.sizes();
      int rows = matrix[matrix.length - 1];
      Kernels.best().transpose(rows, matrix[matrix.length - 2], x.values(), values.floats());
    } else {
      Views.gather(view, x.heap(), values);
    }
    return Tensor.ofStorage(Shape.of(view.sizes()), values);
  }

  @Override
  public Derivative derivative(Application of) {
    // Reads with strides and writes contiguously; the opposite would take twice as long.
    Permute back = new Permute(name, Strided.inverse(order));
    return (gradient, needed) -> new Tensor[] {back.inBackward(gradient)};
  }

  @Override
  public OnnxValue onnx(OnnxValue.Input... inputs) {
    return operator("Transpose").with("perm", order).of(inputs[0]);
  }
}
