// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// How values lie in a file: the format's `dtype`, little-endian and without gaps. In order of
/// decreasing width.
enum Encoding {
  F64(DType.FLOAT64, layout(ValueLayout.JAVA_DOUBLE_UNALIGNED)),
  I64(DType.INT64, layout(ValueLayout.JAVA_LONG_UNALIGNED)),
  F32(DType.FLOAT32, layout(ValueLayout.JAVA_FLOAT_UNALIGNED)),
  BF16(DType.BFLOAT16, layout(ValueLayout.JAVA_SHORT_UNALIGNED)),
  BOOL(DType.BOOL, ValueLayout.JAVA_BYTE);

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

  /// Bytes of one value.
  int width() {
    return type.bytes();
  }

  /// Bytes of all values of this shape.
  long size(Shape shape) {
    return (long) shape.elements() * width();
  }

  /// The encoding of this name; null if we have no such type.
  static @Nullable Encoding named(String dtype) {
    for (Encoding encoding : values()) {
      if (encoding.name().equals(dtype)) {
        return encoding;
      }
    }
    return null;
  }

  /// The encoding of values of this type.
  static Encoding of(DType type) {
    return switch (type) {
      case FLOAT64 -> F64;
      case INT64 -> I64;
      case FLOAT32 -> F32;
      case BFLOAT16 -> BF16;
      case BOOL -> BOOL;
    };
  }

  /// Makes a tensor of values that fill `bytes`. Any byte but 0 is true, as in torch.
  Tensor decode(Shape shape, MemorySegment bytes) {
    Object values = type.newArray(shape.elements());
    if (values instanceof boolean[] truths) {
      for (int i = 0; i < truths.length; i++) {
        truths[i] = bytes.get(ValueLayout.JAVA_BYTE, i) != 0;
      }
    } else {
      MemorySegment.copy(bytes, layout, 0, values, 0, shape.elements());
    }
    return Tensor.ofStorage(shape, values);
  }

  /// Puts `count` of a tensor's values, from `first` on, to the start of `bytes`.
  void encode(Tensor tensor, int first, int count, MemorySegment bytes) {
    if (tensor.storage() instanceof boolean[] truths) {
      for (int i = 0; i < count; i++) {
        bytes.set(ValueLayout.JAVA_BYTE, i, (byte) (truths[first + i] ? 1 : 0));
      }
    } else {
      MemorySegment.copy(tensor.storage(), first, bytes, layout, 0, count);
    }
  }
}
