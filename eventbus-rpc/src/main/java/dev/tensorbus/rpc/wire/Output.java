// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.autograd.HeapStorage;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Writes little-endian values into a growing byte array.
public final class Output {
  private byte[] bytes;
  private ByteBuffer buffer;
  private List<WireTensor> handedOver = List.of();

  /// @param capacity the expected size in bytes; if it is exact, the array is never copied
  public Output(int capacity) {
    bytes = new byte[capacity];
    buffer = wrap(bytes);
  }

  private static ByteBuffer wrap(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// Reserves space for `rest` more bytes. If exactly these follow, [#toBytes] returns the array
  /// without copying it.
  public void expect(int rest) {
    int position = buffer.position();
    bytes = Arrays.copyOf(bytes, Math.addExact(position, rest));
    buffer = wrap(bytes).position(position);
  }

  private ByteBuffer room(int needed) {
    if (buffer.remaining() < needed) {
      int size = Math.addExact(buffer.position(), needed);
      int grown = (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(size, 2L * bytes.length));
      int position = buffer.position();
      bytes = Arrays.copyOf(bytes, grown);
      buffer = wrap(bytes).position(position);
    }
    return buffer;
  }

  public void putByte(int value) {
    room(1).put((byte) value);
  }

  public void putInt(int value) {
    room(Integer.BYTES).putInt(value);
  }

  public void putLong(long value) {
    room(Long.BYTES).putLong(value);
  }

  public void putString(String value) {
    putBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  public void putBytes(byte[] value) {
    putInt(value.length);
    room(value.length).put(value);
  }

  /// Writes a tensor's values; booleans take a byte each.
  void putValues(HeapStorage values) {
    int size = Math.multiplyExact(values.length(), values.dtype().bytes());
    int position = room(size).position();
    MemorySegment target = MemorySegment.ofArray(bytes);
    values.write(0, values.length(), target, position, ByteOrder.LITTLE_ENDIAN);
    buffer.position(position + size);
  }

  /// Sets the tensors that the frame hands over as objects.
  void handOver(List<WireTensor> tensors) {
    handedOver = tensors;
  }

  /// Starts a section that consists of an id, a length and bytes. Returns the start of the section,
  /// to be passed to [#endPart].
  public int beginPart(int id) {
    int start = buffer.position();
    putByte(id);
    putInt(0);
    return start;
  }

  /// Ends a section, or removes it if it is empty.
  public void endPart(int start) {
    int length = buffer.position() - start - Byte.BYTES - Integer.BYTES;
    if (length == 0) {
      buffer.position(start);
    } else {
      buffer.putInt(start + Byte.BYTES, length);
    }
  }

  public <T> void putOptional(@Nullable T value, BiConsumer<T, Output> write) {
    putByte(value == null ? 0 : 1);
    if (value != null) {
      write.accept(value, this);
    }
  }

  public Frame toFrame() {
    return new Frame(toBytes(), handedOver);
  }

  byte[] toBytes() {
    return bytes.length == buffer.position() ? bytes : Arrays.copyOf(bytes, buffer.position());
  }
}
