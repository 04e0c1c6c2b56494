// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/// Values in one array. Whoever makes a storage may write to it until a tensor has it; afterwards
/// nobody may.
///
/// Two storages of different types have nothing in common but [#toFloats], [#toDoubles] and their
/// bytes: other methods throw a `ClassCastException` if the target is of another type.
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

  /// Makes a storage of values that are all 0 or false.
  public static HeapStorage zeros(DType type, int length) {
    return switch (type) {
      case FLOAT32 -> of(new float[length]);
      case FLOAT64 -> of(new double[length]);
      case BFLOAT16 -> of(new short[length]);
      case INT64 -> of(new long[length]);
      case BOOL -> of(new boolean[length]);
    };
  }

  /// Makes a storage with this value everywhere, rounded to the type; any but 0 is true.
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

  /// The number of values.
  public abstract int length();

  @Override
  public final long size() {
    return length();
  }

  @Override
  public final HeapStorage heap() {
    return this;
  }

  /// The array itself, for kernels of its type, and as the identity of its values: tensors with
  /// one array have the same values for good.
  public abstract Object array();

  /// The array of float32 values.
  ///
  /// @throws IllegalStateException if the values are of another type
  public float[] floats() {
    throw wrong(DType.FLOAT32);
  }

  /// The array of float64 values.
  ///
  /// @throws IllegalStateException if the values are of another type
  public double[] doubles() {
    throw wrong(DType.FLOAT64);
  }

  /// The array of int64 values.
  ///
  /// @throws IllegalStateException if the values are of another type
  public long[] longs() {
    throw wrong(DType.INT64);
  }

  /// The array of boolean values.
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

  /// A copy. Takes half as long as a new storage that is filled then: nothing is written twice.
  public abstract HeapStorage copy();

  /// Copies `count` values from index `from` on to the target, where they begin at `to`.
  public abstract void copyTo(int from, HeapStorage target, int to, int count);

  /// Copies `count` values that lie `step` apart, from index `from` on, to the target, where they
  /// begin at `to` and lie `toStep` apart.
  public abstract void copyTo(
      int from, int step, HeapStorage target, int to, int toStep, int count);

  /// Copies the values at `from + positions[i]` for the first `count` positions to the target,
  /// where they lie side by side from `to` on.
  public abstract void copyTo(int from, int[] positions, int count, HeapStorage target, int to);

  /// Adds `count` values from index `from` on to those of `sums` that begin at `to` and lie `step`
  /// apart. Float32 and float64 only.
  public void addTo(int from, HeapStorage sums, int to, int step, int count) {
    throw new IllegalStateException("storage: " + dtype + " values are not added up");
  }

  /// The values as float32 numbers; true is 1. The array itself if it has this type.
  public abstract float[] toFloats();

  /// The values as float64 numbers; true is 1. The array itself if it has this type.
  public abstract double[] toDoubles();

  /// Writes `count` values from index `from` on to bytes; booleans take a byte each.
  public void write(int from, int count, MemorySegment bytes, long offset, ByteOrder order) {
    MemorySegment.copy(array(), from, bytes, layout.withOrder(order), offset, count);
  }

  /// Reads `count` values from bytes to index `to`; any byte but 0 is true.
  public void read(MemorySegment bytes, long offset, ByteOrder order, int to, int count) {
    MemorySegment.copy(bytes, layout.withOrder(order), offset, array(), to, count);
  }

  /// The memory of the values in native order. That of booleans is a copy, a byte each: the JVM has
  /// no segments of booleans.
  public abstract MemorySegment asSegment();

  /// One value, for people.
  Object valueAt(int i) {
    return Array.get(array(), i);
  }

  /// Whether the other has the same values of the same type; NaN equals NaN.
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
