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
    record Constant(Tensor tensor) implements Source {}

    /// A random tensor, which each run draws again.
    record Drawn(Supplier<Tensor> draw) implements Source {}

    /// A result of a step.
    record Result() implements Source {}
  }
}
