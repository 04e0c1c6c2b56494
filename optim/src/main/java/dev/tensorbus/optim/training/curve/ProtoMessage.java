// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training.curve;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/// A builder of protobuf messages with the few field types of an event file, which do not justify a
/// library.
final class ProtoMessage {
  /// The wire types.
  private static final int VARINT = 0;

  private static final int FIXED_64 = 1;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FIXED_32 = 5;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  ProtoMessage int64(int field, long value) {
    return key(field, VARINT).varint(value);
  }

  ProtoMessage float64(int field, double value) {
    return key(field, FIXED_64).littleEndian(Double.doubleToRawLongBits(value), Double.BYTES);
  }

  ProtoMessage float32(int field, float value) {
    return key(field, FIXED_32).littleEndian(Float.floatToRawIntBits(value), Float.BYTES);
  }

  ProtoMessage string(int field, String value) {
    return delimited(field, value.getBytes(UTF_8));
  }

  ProtoMessage message(int field, ProtoMessage value) {
    return delimited(field, value.toByteArray());
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }

  private ProtoMessage delimited(int field, byte[] value) {
    key(field, LENGTH_DELIMITED).varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  private ProtoMessage key(int field, int wireType) {
    return varint(((long) field << 3) | wireType);
  }

  /// Writes seven bits per byte, lowest first; the eighth bit marks that more follow.
  private ProtoMessage varint(long value) {
    long left = value;
    for (; left >>> 7 != 0; left >>>= 7) {
      bytes.write((int) ((left & 0x7f) | 0x80));
    }
    bytes.write((int) left);
    return this;
  }

  private ProtoMessage littleEndian(long bits, int count) {
    for (int i = 0; i < count; i++) {
      bytes.write((int) (bits >>> (8 * i)));
    }
    return this;
  }
}
