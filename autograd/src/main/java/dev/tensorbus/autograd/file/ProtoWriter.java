// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.file;

import java.io.ByteArrayOutputStream;
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

  /// Creates an empty message.
  public ProtoWriter() {}

  /// Writes an integer.
  public ProtoWriter number(int field, long value) {
    return key(field, VARINT).varint(value);
  }

  /// Writes a float.
  public ProtoWriter float32(int field, float value) {
    return key(field, FIXED32).fixed(Float.floatToRawIntBits(value), Float.BYTES);
  }

  /// Writes a double.
  public ProtoWriter float64(int field, double value) {
    return key(field, FIXED64).fixed(Double.doubleToRawLongBits(value), Double.BYTES);
  }

  private ProtoWriter fixed(long bits, int size) {
    for (int index = 0; index < size; index++) { // little-endian
      bytes.write((int) (bits >>> (index * Byte.SIZE)));
    }
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

  /// Writes a varint: seven bits per byte, lowest first; the eighth bit is set if more bytes
  /// follow.
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
