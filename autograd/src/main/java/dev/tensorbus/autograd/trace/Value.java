// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.function.Supplier;

/// A value of a [Trace], compared by identity.
public final class Value {
  private final Source source;
  private final DType type;
  private final Shape shape;
  private final boolean requiresGrad;

  Value(Source source, Tensor like, boolean requiresGrad) {
    this.source = source;
    this.type = like.dtype();
    this.shape = like.shape();
    this.requiresGrad = requiresGrad;
  }

  /// Returns the origin of the value.
  public Source source() {
    return source;
  }

  /// Returns the type.
  public DType type() {
    return type;
  }

  /// Returns the shape.
  public Shape shape() {
    return shape;
  }

  /// Returns whether a gradient is required.
  public boolean requiresGrad() {
    return requiresGrad;
  }

  /// The origin of a value.
  public sealed interface Source {
    /// An input of the computation.
    record Input(int number) implements Source {}

    /// A parameter or a buffer, in its current version.
    record State(String name, Tensor tensor) implements Source {}

    /// A constant.
    ///
    /// @param tensor the values during the trace
    /// @param origin the tensor that had them, such as a parameter of a layer that is not traced
    record Constant(Tensor tensor, Tensor origin) implements Source {
      /// Returns whether the tensor has other values now.
      @SuppressWarnings("ReferenceEquality") // a changed tensor has a new array
      public boolean isReplaced() {
        return origin.heap().array() != tensor.heap().array();
      }
    }

    /// A random tensor, which each run draws again.
    ///
    /// @param law what determines its distribution, besides its shape
    record Drawn(Object law, Supplier<Tensor> draw) implements Source {}

    /// A result of a step.
    record Result() implements Source {}
  }
}
