// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/// Values in one array. The creator of a storage may write to it until a tensor owns it; after
/// that, the values must never change.
///
/// Methods that copy or add values to another storage throw a `ClassCastException` if it has
/// another type. Only [#toFloats] and [#toDoubles] convert values.
public abstract sealed class HeapStorage implements Storage
    permits BoolStorage, Int64Storage, Bfloat16Storage, Float32Storage, Float64Storage {
  private final DType dtype;
  private final ValueLayout layout;

  HeapStorage(DType dtype, ValueLayout layout) {
    this.dtype = dtype;
    this.layout = layout;
  }

  /// Wraps float32 values.
  public static HeapStorage of(float[] values) {
    return new Float32Storage(values);
  }

  /// Wraps float64 values.
  public static HeapStorage of(double[] values) {
    return new Float64Storage(values);
  }

  /// Wraps int64 values.
  public static HeapStorage of(long[] values) {
    return new Int64Storage(values);
  }

  /// Wraps boolean values.
  public static HeapStorage of(boolean[] values) {
    return new BoolStorage(values);
  }

  /// Wraps bfloat16 values: the upper halves of floats.
  public static HeapStorage of(short[] values) {
    return new Bfloat16Storage(values);
  }

  /// Creates a storage of zeros; for booleans, of false.
  public static HeapStorage zeros(DType type, int length) {
    return switch (type) {
      case FLOAT32 -> of(new float[length]);
      case FLOAT64 -> of(new double[length]);
      case BFLOAT16 -> of(new short[length]);
      case INT64 -> of(new long[length]);
      case BOOL -> of(new boolean[length]);
    };
  }

  /// Creates a storage filled with a value, rounded to the type; for booleans, any value but 0 is
  /// true.
  public static HeapStorage filled(DType type, int length, double value) {
    HeapStorage storage = zeros(type, length);
    if (value != 0) {
      storage.fill(value);
    }
    return storage;
  }

  abstract void fill(double value);

  @Override
  public final DType dtype() {
    return dtype;
  }

  /// Returns the number of values.
  public abstract int length();

  @Override
  public final long size() {
    return length();
  }

  @Override
  public final HeapStorage heap() {
    return this;
  }

  /// Returns the array itself, for kernels of its type. The array also identifies the values:
  /// tensors that share it always have equal values.
  public abstract Object array();

  /// Returns the array of float32 values.
  ///
  /// @throws IllegalStateException if the values are of another type
  public float[] floats() {
    throw wrong(DType.FLOAT32);
  }

  /// Returns the array of float64 values.
  ///
  /// @throws IllegalStateException if the values are of another type
  public double[] doubles() {
    throw wrong(DType.FLOAT64);
  }

  /// Returns the array of int64 values.
  ///
  /// @throws IllegalStateException if the values are of another type
  public long[] longs() {
    throw wrong(DType.INT64);
  }

  /// Returns the array of boolean values.
  ///
  /// @throws IllegalStateException if the values are of another type
  public boolean[] booleans() {
    throw wrong(DType.BOOL);
  }

  private IllegalStateException wrong(DType expected) {
    return new IllegalStateException(
        "storage: holds %s values, not %s; convert its tensor with to(DType.%s)"
            .formatted(dtype, expected, expected.name()));
  }

  /// Returns a copy. This is twice as fast as filling a new storage, which is zeroed first.
  public abstract HeapStorage copy();

  /// Copies `count` values, starting at index `from`, to the target, starting at index `to`.
  public abstract void copyTo(int from, HeapStorage target, int to, int count);

  /// Copies `count` values that are `step` apart, starting at index `from`, to the target, starting
  /// at index `to` and `toStep` apart.
  public abstract void copyTo(
      int from, int step, HeapStorage target, int to, int toStep, int count);

  /// Copies the values at `from + positions[i]`, for the first `count` positions, to consecutive
  /// indices of the target, starting at `to`.
  public abstract void copyTo(int from, int[] positions, int count, HeapStorage target, int to);

  /// Adds `count` values, starting at index `from`, to values of `sums` that start at index `to`
  /// and are `step` apart. Float32 and float64 only.
  public void addTo(int from, HeapStorage sums, int to, int step, int count) {
    throw new IllegalStateException("storage: " + dtype + " values cannot be added");
  }

  /// Returns the values as float32 numbers; true is 1. Returns the array itself if it is float32.
  public abstract float[] toFloats();

  /// Returns the values as float64 numbers; true is 1. Returns the array itself if it is float64.
  public abstract double[] toDoubles();

  /// Writes `count` values, starting at index `from`, as bytes; a boolean is one byte.
  public void write(int from, int count, MemorySegment bytes, long offset, ByteOrder order) {
    MemorySegment.copy(array(), from, bytes, layout.withOrder(order), offset, count);
  }

  /// Reads `count` values from bytes, starting at index `to`; for booleans, any byte but 0 is true.
  public void read(MemorySegment bytes, long offset, ByteOrder order, int to, int count) {
    MemorySegment.copy(bytes, layout.withOrder(order), offset, array(), to, count);
  }

  /// Returns the values as memory in native byte order. For booleans this is a copy with one byte
  /// per value, since the JVM has no memory segments of booleans.
  public abstract MemorySegment asSegment();

  /// Returns one value, for display.
  Object valueAt(int i) {
    return Array.get(array(), i);
  }

  /// Returns whether `other` has the same type and the same values; NaN equals NaN.
  @Override
  public final boolean equals(Object other) {
    return other instanceof HeapStorage storage && Objects.deepEquals(array(), storage.array());
  }

  @Override
  public final int hashCode() {
    return Arrays.deepHashCode(new Object[] {array()});
  }

  @Override
  public String toString() {
    return dtype + Arrays.deepToString(new Object[] {array()});
  }
}
