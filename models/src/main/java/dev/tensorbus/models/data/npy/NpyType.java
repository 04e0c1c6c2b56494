// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data.npy;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// The types of values in `.npy` files, with NumPy's type codes (without byte order). Types that
/// tensors do not support are read as a wider type.
enum NpyType {
  F4("f4", DType.FLOAT32, ValueLayout.JAVA_FLOAT_UNALIGNED),
  F8("f8", DType.FLOAT64, ValueLayout.JAVA_DOUBLE_UNALIGNED),
  I8("i8", DType.INT64, ValueLayout.JAVA_LONG_UNALIGNED),
  B1("b1", DType.BOOL, ValueLayout.JAVA_BYTE),
  F2("f2", DType.FLOAT32, ValueLayout.JAVA_SHORT_UNALIGNED),
  I4("i4", DType.INT64, ValueLayout.JAVA_INT_UNALIGNED),
  U1("u1", DType.INT64, ValueLayout.JAVA_BYTE);

  private final String code;
  private final DType type;

  @SuppressWarnings("ImmutableEnumChecker") // Layouts are immutable, but not annotated as such.
  private final ValueLayout layout;

  NpyType(String code, DType type, ValueLayout layout) {
    this.code = code;
    this.type = type;
    this.layout = layout;
  }

  /// Returns the type with a code such as `f4`, or null if there is none.
  static @Nullable NpyType named(String code) {
    for (NpyType type : values()) {
      if (type.code.equals(code)) {
        return type;
      }
    }
    return null;
  }

  /// Returns the type that is used to write a tensor's values.
  ///
  /// @throws IllegalArgumentException if NumPy has no such type
  static NpyType of(DType type) {
    return switch (type) {
      case FLOAT32 -> F4;
      case FLOAT64 -> F8;
      case INT64 -> I8;
      case BOOL -> B1;
      case BFLOAT16 ->
          throw new IllegalArgumentException(
              "npy: NumPy has no bfloat16; convert the tensor with to(DType.FLOAT32)");
    };
  }

  /// Returns the code for a header, including the byte order: `<` for little-endian, as in `<f4`,
  /// or `|` for single bytes, as in `|b1`.
  String description() {
    return (width() == 1 ? "|" : "<") + code;
  }

  /// Returns the size of a value in a file, in bytes.
  int width() {
    return (int) layout.byteSize();
  }

  /// Returns the size of a value in a tensor, in bytes.
  int bytesInMemory() {
    return type.bytes();
  }

  /// Creates a tensor from the values in `bytes`. For bool, any byte other than 0 is true, as in
  /// NumPy.
  Tensor decode(Shape shape, ByteOrder order, MemorySegment bytes) {
    HeapStorage values = HeapStorage.zeros(type, shape.elements());
    switch (this) {
      case U1 -> unsignedBytes(bytes, values.longs());
      case I4 -> ints(bytes, order, values.longs());
      case F2 -> halves(bytes, order, values.floats());
      case F4, F8, I8, B1 -> values.read(bytes, 0, order, 0, values.length());
    }
    return Tensor.ofStorage(shape, values);
  }

  private static void unsignedBytes(MemorySegment bytes, long... values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = Byte.toUnsignedLong(bytes.get(ValueLayout.JAVA_BYTE, i));
    }
  }

  private static void halves(MemorySegment bytes, ByteOrder order, float... values) {
    ValueLayout.OfShort layout = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(order);
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.float16ToFloat(bytes.getAtIndex(layout, i));
    }
  }

  private static void ints(MemorySegment bytes, ByteOrder order, long... values) {
    ValueLayout.OfInt layout = ValueLayout.JAVA_INT_UNALIGNED.withOrder(order);
    for (int i = 0; i < values.length; i++) {
      values[i] = bytes.getAtIndex(layout, i);
    }
  }
}
