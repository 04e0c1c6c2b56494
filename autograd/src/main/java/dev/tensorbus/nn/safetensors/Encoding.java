// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// The encoding of values in a file, which the format calls `dtype`, in order of decreasing width.
/// Values are little-endian and contiguous. A type that tensors do not support is read as the
/// smallest supported type that can represent all its values.
enum Encoding {
  F64(DType.FLOAT64, layout(ValueLayout.JAVA_DOUBLE_UNALIGNED)),
  I64(DType.INT64, layout(ValueLayout.JAVA_LONG_UNALIGNED)),
  F32(DType.FLOAT32, layout(ValueLayout.JAVA_FLOAT_UNALIGNED)),
  I32(DType.INT64, layout(ValueLayout.JAVA_INT_UNALIGNED)),
  BF16(DType.BFLOAT16, layout(ValueLayout.JAVA_SHORT_UNALIGNED)),
  F16(DType.FLOAT32, layout(ValueLayout.JAVA_SHORT_UNALIGNED)),
  I16(DType.INT64, layout(ValueLayout.JAVA_SHORT_UNALIGNED)),
  BOOL(DType.BOOL, ValueLayout.JAVA_BYTE),
  I8(DType.INT64, ValueLayout.JAVA_BYTE),
  U8(DType.INT64, ValueLayout.JAVA_BYTE);

  private final DType type;

  @SuppressWarnings("ImmutableEnumChecker") // Layouts are immutable, but not marked so.
  private final ValueLayout layout;

  Encoding(DType type, ValueLayout layout) {
    this.type = type;
    this.layout = layout;
  }

  private static ValueLayout layout(ValueLayout layout) {
    return layout.withOrder(ByteOrder.LITTLE_ENDIAN);
  }

  /// Returns the number of bytes of one value.
  int width() {
    return (int) layout.byteSize();
  }

  /// Returns the encoding with this name, or null if it is unknown.
  static @Nullable Encoding named(String dtype) {
    for (Encoding encoding : values()) {
      if (encoding.name().equals(dtype)) {
        return encoding;
      }
    }
    return null;
  }

  /// Returns the encoding of a tensor type.
  static Encoding of(DType type) {
    return switch (type) {
      case FLOAT64 -> F64;
      case INT64 -> I64;
      case FLOAT32 -> F32;
      case BFLOAT16 -> BF16;
      case BOOL -> BOOL;
    };
  }

  /// Creates a tensor from `bytes`. For booleans, any byte other than 0 is true, as in torch.
  Tensor decode(Shape shape, MemorySegment bytes) {
    HeapStorage values = HeapStorage.zeros(type, shape.elements());
    switch (this) {
      case F16 -> halves(bytes, values.floats());
      case I32, I16, I8, U8 -> integers(bytes, values.longs());
      case F64, I64, F32, BF16, BOOL ->
          values.read(bytes, 0, ByteOrder.LITTLE_ENDIAN, 0, values.length());
    }
    return Tensor.ofStorage(shape, values);
  }

  private static void halves(MemorySegment bytes, float... values) {
    ValueLayout.OfShort half = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.float16ToFloat(bytes.getAtIndex(half, i));
    }
  }

  private void integers(MemorySegment bytes, long... values) {
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (layout) {
            case ValueLayout.OfInt integer -> bytes.getAtIndex(integer, i);
            case ValueLayout.OfShort integer -> bytes.getAtIndex(integer, i);
            default -> bytes.get(ValueLayout.JAVA_BYTE, i) & (this == U8 ? 0xff : -1);
          };
    }
  }
}
