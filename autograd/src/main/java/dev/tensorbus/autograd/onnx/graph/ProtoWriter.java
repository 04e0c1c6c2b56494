// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.onnx.graph;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Writes one message of Google's protocol buffers: fields with a number, of three wire types.
final class ProtoWriter {
  private static final int VARINT = 0;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FIXED32 = 5;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /// A whole number.
  ProtoWriter number(int field, long value) {
    varint(((long) field << 3) | VARINT);
    varint(value);
    return this;
  }

  /// A number of type float.
  ProtoWriter real(int field, float value) {
    varint(((long) field << 3) | FIXED32);
    byte[] four = new byte[Float.BYTES];
    ByteBuffer.wrap(four).order(ByteOrder.LITTLE_ENDIAN).putFloat(value);
    bytes.writeBytes(four);
    return this;
  }

  /// A text.
  ProtoWriter text(int field, String value) {
    return raw(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /// Raw bytes.
  ProtoWriter raw(int field, byte[] value) {
    varint(((long) field << 3) | LENGTH_DELIMITED);
    varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  /// A message within this one.
  ProtoWriter message(int field, Consumer<ProtoWriter> body) {
    ProtoWriter inner = new ProtoWriter();
    body.accept(inner);
    return raw(field, inner.toByteArray());
  }

  /// Seven bits at a time, the lowest first; the eighth says that more follow.
  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }
}
