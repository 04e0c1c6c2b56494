// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;

/// A value in the ONNX nodes of an operation. Operations describe their nodes as data; the `onnx`
/// package turns the data into a graph.
public sealed interface OnnxValue {
  /// An input of the operation.
  ///
  /// @param number the index of the input
  record Input(int number, DType type, Shape shape) implements OnnxValue {
    /// Returns a scalar constant of this input's type.
    public Constant number(double value) {
      return new Constant(Tensor.full(Shape.SCALAR, type, value));
    }

    /// Returns zeros of this input's type. Used for sums over empty axes, which ONNX Runtime's CUDA
    /// kernels refuse to compute.
    public OnnxValue zeros(Shape shape) {
      return operator("Expand").of(number(0), ints(shape.toArray()));
    }
  }

  /// Values that do not depend on the inputs.
  record Constant(Tensor values) implements OnnxValue {}

  /// A result of a node.
  ///
  /// @param number the index of the result
  record Result(OnnxNode node, int number) implements OnnxValue {}

  /// An optional input that a node does not have.
  record Absent() implements OnnxValue {}

  /// Returns a constant list of integers, such as sizes, axes or bounds.
  static Constant ints(int... values) {
    return new Constant(Tensor.ofLongs(Arrays.stream(values).asLongStream().toArray()));
  }

  /// Returns an integer scalar constant.
  static Constant number(int value) {
    return new Constant(Tensor.full(Shape.SCALAR, DType.INT64, value));
  }

  /// Returns the same values with another shape.
  default OnnxValue reshaped(Shape shape) {
    // Without allowzero, a size of 0 would be replaced with the input's size on that axis.
    return operator("Reshape").with("allowzero", 1).of(this, ints(shape.toArray()));
  }

  /// Returns the values converted to another type.
  default OnnxValue cast(DType type) {
    return operator("Cast").withType("to", type).of(this);
  }
}
