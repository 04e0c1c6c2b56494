// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.safetensors;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// How values lie in a file: the format's `dtype`, little-endian and without gaps. In order of
/// decreasing width.
enum Encoding {
  F32(Float.BYTES);

  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final int width;

  Encoding(int width) {
    this.width = width;
  }

  /// Bytes of one value.
  int width() {
    return width;
  }

  /// Bytes of all values of this shape.
  long size(Shape shape) {
    return (long) shape.elements() * width;
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

  /// What this tensor's values are written as.
  static Encoding of(Tensor tensor) {
    return F32;
  }

  /// Makes a tensor of values that fill `bytes`.
  Tensor decode(Shape shape, MemorySegment bytes) {
    float[] values = new float[shape.elements()];
    MemorySegment.copy(bytes, FLOAT, 0, values, 0, values.length);
    return Tensor.of(shape, values);
  }

  /// Puts `count` of a tensor's values, from `first` on, to the start of `bytes`.
  void encode(Tensor tensor, int first, int count, MemorySegment bytes) {
    MemorySegment.copy(tensor.values(), first, bytes, FLOAT, 0, count);
  }
}
