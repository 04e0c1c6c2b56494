// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.trace;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.function.Supplier;

/// A value of a [Trace]: one per trace and place, compared by identity.
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

  /// Where it comes from.
  public Source source() {
    return source;
  }

  /// Its type.
  public DType type() {
    return type;
  }

  /// The shape that it had.
  public Shape shape() {
    return shape;
  }

  /// Whether its gradient was wanted.
  public boolean requiresGrad() {
    return requiresGrad;
  }

  /// Where a value comes from.
  public sealed interface Source {
    /// The caller gave it.
    record Input(int number) implements Source {}

    /// A parameter or a buffer, in its present version.
    record State(String name, Tensor tensor) implements Source {}

    /// Always the same.
    record Constant(Tensor tensor) implements Source {}

    /// Drawn at random, each time anew.
    record Drawn(Supplier<Tensor> draw) implements Source {}

    /// A step computed it.
    record Result() implements Source {}
  }
}
