// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// ONNX's types of values that can be read, as TensorProto.DataType numbers them. Values are
/// little-endian and contiguous. A type that tensors do not have is read as one that can represent
/// all its values.
public enum Element {
  FLOAT(1, DType.FLOAT32, Float.BYTES),
  UINT8(2, DType.INT64, 1),
  INT8(3, DType.INT64, 1),
  UINT16(4, DType.INT64, Short.BYTES),
  INT16(5, DType.INT64, Short.BYTES),
  INT32(6, DType.INT64, Integer.BYTES),
  INT64(7, DType.INT64, Long.BYTES),
  BOOL(9, DType.BOOL, 1),
  FLOAT16(10, DType.FLOAT32, Short.BYTES),
  DOUBLE(11, DType.FLOAT64, Double.BYTES),
  UINT32(12, DType.INT64, Integer.BYTES),
  BFLOAT16(16, DType.BFLOAT16, Short.BYTES);

  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final int code;
  private final DType type;
  private final int width;

  Element(int code, DType type, int width) {
    this.code = code;
    this.type = type;
    this.width = width;
  }

  /// Returns the type with this code.
  ///
  /// @throws IllegalArgumentException if it is unknown or unsupported, such as strings
  public static Element of(int code) {
    for (Element element : values()) {
      if (element.code == code) {
        return element;
      }
    }
    throw new IllegalArgumentException(
        "has type %d of ONNX's TensorProto.DataType; expected numbers or booleans".formatted(code));
  }

  /// Returns the type of the tensor that holds the values.
  DType type() {
    return type;
  }

  /// Returns the type in which values are computed. There is no arithmetic for bfloat16.
  public DType computed() {
    return type == DType.BFLOAT16 ? DType.FLOAT32 : type;
  }

  /// Checks that integers have values of this type.
  ///
  /// @throws IllegalArgumentException if one of them is too large or too small
  public void require(long... values) {
    long count = width == Long.BYTES ? 0 : 1L << (width * Byte.SIZE);
    long smallest = name().startsWith("U") ? 0 : -count / 2;
    for (long value : values) {
      if (count > 0 && (value < smallest || value >= smallest + count)) {
        throw new IllegalArgumentException(value + " is no " + this);
      }
    }
  }

  /// Returns the number of bytes of one value.
  int width() {
    return width;
  }

  /// Decodes all bytes.
  HeapStorage decode(ByteBuffer bytes) {
    MemorySegment segment = MemorySegment.ofBuffer(bytes);
    HeapStorage values = HeapStorage.zeros(type, bytes.remaining() / width);
    switch (this) {
      case FLOAT, INT64, BOOL, DOUBLE, BFLOAT16 ->
          values.read(segment, 0, ByteOrder.LITTLE_ENDIAN, 0, values.length());
      case FLOAT16 -> halves(segment, values.floats());
      case UINT8, INT8, UINT16, INT16, INT32, UINT32 -> integers(segment, values.longs());
    }
    return values;
  }

  private static void halves(MemorySegment bytes, float... values) {
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.float16ToFloat(bytes.getAtIndex(SHORT, i));
    }
  }

  private void integers(MemorySegment bytes, long... values) {
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (this) {
            case UINT8 -> bytes.get(ValueLayout.JAVA_BYTE, i) & 0xffL;
            case INT8 -> bytes.get(ValueLayout.JAVA_BYTE, i);
            case UINT16 -> bytes.getAtIndex(SHORT, i) & 0xffffL;
            case INT16 -> bytes.getAtIndex(SHORT, i);
            case UINT32 -> bytes.getAtIndex(INT, i) & 0xffffffffL;
            default -> bytes.getAtIndex(INT, i);
          };
    }
  }

  /// Converts values that are listed one by one: as floats, as doubles, or as integers, which may
  /// be the bits of a shorter float.
  HeapStorage convert(HeapStorage listed) {
    boolean isInteger = this != FLOAT && this != DOUBLE;
    if (listed.dtype() != (isInteger ? DType.INT64 : type)) {
      throw new IllegalArgumentException(
          "lists its values as %s, which are not %s".formatted(listed.dtype(), this));
    }
    if (!isInteger || type == DType.INT64) {
      return listed;
    }
    HeapStorage values = HeapStorage.zeros(type, listed.length());
    long[] bits = listed.longs();
    for (int i = 0; i < bits.length; i++) {
      switch (this) {
        case BOOL -> values.booleans()[i] = bits[i] != 0;
        case FLOAT16 -> values.floats()[i] = Float.float16ToFloat((short) bits[i]);
        default -> ((short[]) values.array())[i] = (short) bits[i];
      }
    }
    return values;
  }
}
