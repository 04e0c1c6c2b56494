// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads a protocol buffers message, field by field: the counterpart of [ProtoWriter].
///
/// ```java
/// while (reader.next()) {
///   switch (reader.field()) {
///     case 1 -> name = reader.text();
///     default -> {} // unknown fields are skipped
///   }
/// }
/// ```
///
/// The message may come from a stranger. A length beyond its end is refused, and nothing is
/// allocated for it. The methods throw an [IllegalArgumentException] if the message is damaged or
/// the field has another wire type.
public final class ProtoReader {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FIXED32 = 5;

  private final ByteBuffer bytes;
  private int field;
  private int wireType;
  private long number;
  private ByteBuffer content = ByteBuffer.allocate(0);

  /// Creates a reader of the remaining bytes, which are not copied.
  public ProtoReader(ByteBuffer message) {
    this.bytes = message.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /// Reads the next field and returns true, or returns false at the end of the message.
  public boolean next() {
    if (!bytes.hasRemaining()) {
      return false;
    }
    long key = varint(bytes);
    field = (int) (key >>> 3);
    wireType = (int) (key & 7);
    switch (wireType) {
      case VARINT -> number = varint(bytes);
      case FIXED64 -> number = taken(Long.BYTES).getLong();
      case FIXED32 -> number = taken(Integer.BYTES).getInt();
      case LENGTH_DELIMITED -> content = taken(varint(bytes));
      default ->
          throw new IllegalArgumentException("a field has the unknown wire type " + wireType);
    }
    return true;
  }

  private ByteBuffer taken(long length) {
    if (length < 0 || length > bytes.remaining()) {
      throw new IllegalArgumentException(
          "field %d claims to have %s bytes, but only %d follow"
              .formatted(field, Long.toUnsignedString(length), bytes.remaining()));
    }
    ByteBuffer part = bytes.slice(bytes.position(), (int) length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(bytes.position() + (int) length);
    return part;
  }

  private static long varint(ByteBuffer bytes) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE && bytes.hasRemaining(); shift += 7) {
      byte next = bytes.get();
      value |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("an integer does not end");
  }

  /// Returns the number of the current field.
  public int field() {
    return field;
  }

  /// Returns the current field, an integer.
  public long number() {
    require(VARINT);
    return number;
  }

  /// Returns the current field, a float.
  public float float32() {
    require(FIXED32);
    return Float.intBitsToFloat((int) number);
  }

  /// Returns the current field, a string.
  public String text() {
    require(LENGTH_DELIMITED);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(content.duplicate()).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("field " + field + " is not UTF-8", e);
    }
  }

  /// Returns the bytes of the current field, in little-endian order. They are not copied.
  public ByteBuffer raw() {
    require(LENGTH_DELIMITED);
    return content;
  }

  /// Returns a reader of the current field, a nested message.
  public ProtoReader message() {
    return new ProtoReader(raw());
  }

  /// Returns the integers of the current field: a single one, or a packed list.
  public long[] numbers() {
    if (wireType != LENGTH_DELIMITED) {
      return new long[] {number()};
    }
    long[] numbers = new long[count(content)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = varint(content);
    }
    return numbers;
  }

  /// Returns the floats of the current field: a single one, or a packed list.
  public List<Float> float32s() {
    if (wireType != LENGTH_DELIMITED) {
      return List.of(float32());
    }
    List<Float> floats = new ArrayList<>();
    while (content.remaining() >= Float.BYTES) {
      floats.add(content.getFloat());
    }
    return floats;
  }

  /// Returns the number of integers: each ends with the only one of its bytes that is not negative.
  private static int count(ByteBuffer packed) {
    int count = 0;
    for (int i = 0; i < packed.limit(); i++) {
      count += packed.get(i) >= 0 ? 1 : 0;
    }
    return count;
  }

  private void require(int expected) {
    if (wireType != expected) {
      throw new IllegalArgumentException(
          "field %d has wire type %d; expected %d".formatted(field, wireType, expected));
    }
  }
}
