// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.kernel.Arithmetic;
import dev.tensorbus.autograd.kernel.Kernels;

/// Runs the kernels for a tensor's type. An operation and its derivative are written only once for
/// all types: they call [Arithmetic]'s kernels with the [#array] of each tensor. Float32 tensors
/// use the fast kernels.
public final class Compute {
  private static final Arithmetic<Object> FLOAT32 = untyped(Kernels.best());
  private static final Arithmetic<Object> FLOAT64 = untyped(Kernels.float64());

  private Compute() {}

  /// Returns kernels that accept any array and check its type only when they run: mixed types throw
  /// a `ClassCastException`.
  @SuppressWarnings("unchecked")
  private static Arithmetic<Object> untyped(Arithmetic<?> kernels) {
    return (Arithmetic<Object>) kernels;
  }

  /// Returns the kernels for a tensor's type.
  public static Arithmetic<Object> kernels(Tensor x) {
    return kernels(x.dtype());
  }

  /// Returns the kernels for a type.
  static Arithmetic<Object> kernels(DType type) {
    return switch (type) {
      case FLOAT32 -> FLOAT32;
      case FLOAT64 -> FLOAT64;
      case BFLOAT16, INT64, BOOL -> throw new IllegalArgumentException(cannot("compute", type));
    };
  }

  /// Returns the array of a tensor's values, for kernels of its type. The array is shared: never
  /// write to it.
  public static Object array(Tensor x) {
    return x.heap().array();
  }

  /// Computes a tensor with the given shape and the type of `like`. The kernel writes to an array
  /// of zeros.
  public static Tensor result(Tensor like, Shape shape, Kernel kernel) {
    HeapStorage values = HeapStorage.zeros(like.dtype(), shape.elements());
    kernel.run(kernels(like), values.array());
    return Tensor.ofStorage(shape, values);
  }

  /// Returns a tensor with the given shape and values, which are rounded to the type of `like`.
  public static Tensor rounded(Tensor like, Shape shape, double[] values) {
    if (like.dtype() == DType.FLOAT64) {
      return Tensor.of(shape, values);
    }
    float[] rounded = new float[values.length];
    for (int i = 0; i < rounded.length; i++) {
      rounded[i] = (float) values[i];
    }
    return Tensor.of(shape, rounded);
  }

  /// Returns the values as float64 numbers, whatever their type; true is 1. The array may be
  /// shared: never write to it.
  public static double[] doubles(Tensor x) {
    return x.heap().toDoubles();
  }

  /// Writes to an array, using the kernels of its type.
  @FunctionalInterface
  public interface Kernel {
    void run(Arithmetic<Object> kernels, Object values);
  }

  /// Throws if an input is not floating-point.
  public static void requireFloating(String operation, Tensor... inputs) {
    for (Tensor x : inputs) {
      if (!x.dtype().isFloating()) {
        throw new IllegalArgumentException(cannot(operation, x.dtype()));
      }
    }
  }

  /// Throws unless all inputs have the same floating-point type. Products and convolutions are too
  /// expensive to be computed in an unintended type.
  public static void requireOneType(String operation, Tensor... inputs) {
    requireFloating(operation, inputs);
    for (Tensor x : inputs) {
      if (x.dtype() != inputs[0].dtype()) {
        throw new IllegalArgumentException(
            "%s: requires values of one type, not %s and %s; convert one with to(DType.%s)"
                .formatted(operation, inputs[0].dtype(), x.dtype(), inputs[0].dtype().name()));
      }
    }
  }

  private static String cannot(String operation, DType dtype) {
    return operation
        + ": requires float32 or float64 values, not "
        + dtype
        + "; convert them with to(DType.FLOAT32)";
  }
}
