// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.file;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Writes a protocol buffers message. It supports only the few field types of ONNX models and
/// TensorBoard's event files, so that no library is needed.
public final class ProtoWriter {
  /// The wire types.
  private static final int VARINT = 0;

  private static final int FIXED64 = 1;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FIXED32 = 5;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /// Writes an integer.
  public ProtoWriter number(int field, long value) {
    return key(field, VARINT).varint(value);
  }

  /// Writes a float.
  public ProtoWriter float32(int field, float value) {
    key(field, FIXED32);
    return fixed(ByteBuffer.allocate(Float.BYTES).order(ByteOrder.LITTLE_ENDIAN).putFloat(value));
  }

  /// Writes a double.
  public ProtoWriter float64(int field, double value) {
    key(field, FIXED64);
    return fixed(ByteBuffer.allocate(Double.BYTES).order(ByteOrder.LITTLE_ENDIAN).putDouble(value));
  }

  private ProtoWriter fixed(ByteBuffer value) {
    bytes.writeBytes(value.array());
    return this;
  }

  /// Writes a string.
  public ProtoWriter text(int field, String value) {
    return raw(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /// Writes raw bytes.
  public ProtoWriter raw(int field, byte[] value) {
    key(field, LENGTH_DELIMITED).varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  /// Writes a nested message.
  public ProtoWriter message(int field, Consumer<ProtoWriter> body) {
    ProtoWriter inner = new ProtoWriter();
    body.accept(inner);
    return raw(field, inner.toByteArray());
  }

  private ProtoWriter key(int field, int wireType) {
    return varint(((long) field << 3) | wireType);
  }

  /// Writes a varint: seven bits at a time, the lowest first; the eighth bit is set if more follow.
  private ProtoWriter varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
    return this;
  }

  /// Returns the message written so far.
  public byte[] toByteArray() {
    return bytes.toByteArray();
  }
}
