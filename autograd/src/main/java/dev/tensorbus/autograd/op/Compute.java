// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Arithmetic;
import dev.tensorbus.autograd.kernel.Kernels;
import dev.tensorbus.autograd.kernel.scalar.DoubleKernels;

/// Runs a kernel for whatever type its tensors are of. An operation and its derivative are
/// written once, in kernels of [Arithmetic] over [Tensor#storage]; float32 finds the fast ones.
final class Compute {
  private static final Arithmetic<Object> FLOAT32 = untyped(Kernels.best());
  private static final Arithmetic<Object> FLOAT64 = untyped(DoubleKernels.INSTANCE);

  private Compute() {}

  /// Whether the arrays are of the kernels' type is known when they run: who mixes types gets a
  /// `ClassCastException`.
  @SuppressWarnings("unchecked")
  private static Arithmetic<Object> untyped(Arithmetic<?> kernels) {
    return (Arithmetic<Object>) kernels;
  }

  /// The kernels for a tensor's type.
  static Arithmetic<Object> kernels(Tensor x) {
    return switch (x.dtype()) {
      case FLOAT32 -> FLOAT32;
      case FLOAT64 -> FLOAT64;
      case INT64, BOOL -> throw new IllegalArgumentException(cannot("compute", x.dtype()));
    };
  }

  /// Computes a tensor of this shape and of `like`'s type, of which the kernel writes every value
  /// and reads none before.
  static Tensor result(Tensor like, Shape shape, Kernel kernel) {
    Arithmetic<Object> kernels = kernels(like);
    return computed(kernels, shape, like.dtype().arrayToFill(shape.elements()), kernel);
  }

  /// Computes one whose values the kernel adds to zeros.
  static Tensor sums(Tensor like, Shape shape, Kernel kernel) {
    Arithmetic<Object> kernels = kernels(like);
    return computed(kernels, shape, like.dtype().newArray(shape.elements()), kernel);
  }

  private static Tensor computed(
      Arithmetic<Object> kernels, Shape shape, Object values, Kernel kernel) {
    kernel.run(kernels, values);
    return Tensor.ofStorage(shape, values);
  }

  /// Writes to an array by kernels of its type.
  @FunctionalInterface
  interface Kernel {
    void run(Arithmetic<Object> kernels, Object values);
  }

  /// Refuses what is not floating-point.
  static void requireFloating(String operation, Tensor... inputs) {
    for (Tensor x : inputs) {
      if (!x.dtype().isFloating()) {
        throw new IllegalArgumentException(cannot(operation, x.dtype()));
      }
    }
  }

  /// Refuses inputs that are not all of one floating-point type: products and convolutions are
  /// too heavy to be computed in another type than was meant.
  static void requireOneType(String operation, Tensor... inputs) {
    requireFloating(operation, inputs);
    for (Tensor x : inputs) {
      if (x.dtype() != inputs[0].dtype()) {
        throw new IllegalArgumentException(
            "%s: takes values of one type, not %s and %s; convert one with to(DType.%s)"
                .formatted(operation, inputs[0].dtype(), x.dtype(), inputs[0].dtype().name()));
      }
    }
  }

  private static String cannot(String operation, DType dtype) {
    return operation
        + ": takes float32 or float64 values, not "
        + dtype
        + "; convert them with to(DType.FLOAT32)";
  }
}
