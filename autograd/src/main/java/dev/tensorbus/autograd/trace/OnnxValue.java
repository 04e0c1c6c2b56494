// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import static dev.tensorbus.autograd.trace.OnnxOperator.operator;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;

/// A value in the ONNX nodes of an operation. An operation hands its nodes out as such data; the
/// `onnx` package turns them into a graph.
public sealed interface OnnxValue {
  /// An input of the operation.
  ///
  /// @param number its place among the inputs
  record Input(int number, DType type, Shape shape) implements OnnxValue {
    /// A number in this input's type.
    public Constant number(double value) {
      return new Constant(Tensor.full(Shape.SCALAR, type, value));
    }

    /// Zeros in this input's type. They are the sums of no values, which ONNX Runtime's kernels for
    /// CUDA refuse to compute.
    public OnnxValue zeros(Shape shape) {
      return operator("Expand").of(number(0), ints(shape.toArray()));
    }
  }

  /// Values that do not depend on the inputs.
  record Constant(Tensor values) implements OnnxValue {}

  /// A result of a node.
  ///
  /// @param number its place among the results
  record Result(OnnxNode node, int number) implements OnnxValue {}

  /// Stands for an optional input that a node goes without.
  record Absent() implements OnnxValue {}

  /// Whole numbers: sizes, axes, bounds.
  static Constant ints(int... values) {
    return new Constant(Tensor.ofLongs(Arrays.stream(values).asLongStream().toArray()));
  }

  /// One whole number, without an axis.
  static Constant number(int value) {
    return new Constant(Tensor.full(Shape.SCALAR, DType.INT64, value));
  }

  /// The same values in another shape.
  default OnnxValue reshaped(Shape shape) {
    // Without allowzero a size of 0 would stand for that of the input.
    return operator("Reshape").with("allowzero", 1).of(this, ints(shape.toArray()));
  }

  /// The values in another type.
  default OnnxValue cast(DType type) {
    return operator("Cast").withType("to", type).of(this);
  }
}
