// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import dev.tensorbus.autograd.kernel.Bfloat16;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Locale;

/// The type of a tensor's values. The order is that of promotion: an operation between two types
/// computes in the later one.
public enum DType {
  /// True or false: masks.
  BOOL(1),
  /// Whole numbers of 64 bits: indices and labels.
  INT64(Long.BYTES),
  /// Half of float32's bits, for files, messages and tables: values are stored, moved and compared,
  /// and computed with as float32.
  BFLOAT16(Short.BYTES),
  /// The type that networks compute in; its kernels are fast.
  FLOAT32(Float.BYTES),
  /// The type for precision, as [dev.tensorbus.autograd.graph.GradientCheck] needs it; its kernels
  /// are plain loops.
  FLOAT64(Double.BYTES);

  private final int bytes;

  DType(int bytes) {
    this.bytes = bytes;
  }

  /// The size of one value in files and messages.
  public int bytes() {
    return bytes;
  }

  /// Whether operations compute in this type, and values of it have gradients.
  public boolean isFloating() {
    return this == FLOAT32 || this == FLOAT64;
  }

  /// The type of an array's values.
  ///
  /// @throws IllegalArgumentException if tensors do not hold such values
  public static DType of(Object array) {
    return switch (array) {
      case float[] _ -> FLOAT32;
      case double[] _ -> FLOAT64;
      case short[] _ -> BFLOAT16;
      case long[] _ -> INT64;
      case boolean[] _ -> BOOL;
      default ->
          throw new IllegalArgumentException(
              "tensor: holds float[], double[], short[], long[] or boolean[], not "
                  + array.getClass().getTypeName());
    };
  }

  /// A new array for so many values, all 0 or false.
  public Object newArray(int length) {
    return switch (this) {
      case FLOAT32 -> new float[length];
      case FLOAT64 -> new double[length];
      case BFLOAT16 -> new short[length];
      case INT64 -> new long[length];
      case BOOL -> new boolean[length];
    };
  }

  /// A new array with this value everywhere, rounded to the type; any but 0 is true.
  Object filledArray(int length, double value) {
    Object array = newArray(length);
    switch (array) {
      case float[] floats -> Arrays.fill(floats, (float) value);
      case double[] doubles -> Arrays.fill(doubles, value);
      case short[] halves -> Arrays.fill(halves, Bfloat16.of((float) value));
      case long[] longs -> Arrays.fill(longs, (long) value);
      default -> Arrays.fill((boolean[]) array, value != 0);
    }
    return array;
  }

  /// A value of an array that tensors hold.
  static Object valueAt(Object array, int i) {
    return array instanceof short[] halves ? Bfloat16.toFloat(halves[i]) : Array.get(array, i);
  }

  /// A new array with the values of one that tensors hold. Takes half as long as a new one that is
  /// filled then: nothing is written twice.
  public static Object copyOf(Object array) {
    return switch (array) {
      case float[] floats -> floats.clone();
      case double[] doubles -> doubles.clone();
      case short[] halves -> halves.clone();
      case long[] longs -> longs.clone();
      default -> ((boolean[]) array).clone();
    };
  }

  /// As torch names it: `float32`.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
