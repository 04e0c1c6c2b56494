// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.wire;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.HeapStorage;
import dev.tensorbus.rpc.WireException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads bytes that [Output] wrote. Every length is checked against the remaining bytes before
/// anything is allocated.
public final class Input {
  /// The character that the decoder substitutes for invalid bytes.
  private static final char REPLACEMENT = '\uFFFD';

  private final Frame frame;
  private final ByteBuffer buffer;

  public Input(Frame frame) {
    this(frame, ByteBuffer.wrap(frame.bytes()));
  }

  private Input(Frame frame, ByteBuffer buffer) {
    this.frame = frame;
    this.buffer = buffer.order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer need(long bytes, String what) {
    if (bytes < 0 || bytes > buffer.remaining()) {
      throw new WireException(
          "message ends at byte "
              + buffer.limit()
              + ": "
              + what
              + " of "
              + bytes
              + " bytes at byte "
              + buffer.position()
              + " does not fit",
          null);
    }
    return buffer;
  }

  public int getByte() {
    return need(1, "a byte").get();
  }

  public int getInt() {
    return need(Integer.BYTES, "a number").getInt();
  }

  public long getLong() {
    return need(Long.BYTES, "a number").getLong();
  }

  /// Reads a string in UTF-8.
  ///
  /// @throws WireException if the bytes are not valid UTF-8, since different invalid bytes would
  ///     decode to equal strings
  public String getString() {
    byte[] bytes = getBytes();
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACEMENT) >= 0
        && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)) {
      throw new WireException("a string of " + bytes.length + " bytes is not UTF-8", null);
    }
    return text;
  }

  public byte[] getBytes() {
    int length = getInt();
    ByteBuffer source = need(length, "a block");
    byte[] bytes = new byte[length];
    source.get(bytes);
    return bytes;
  }

  /// Returns a reader of the next section, which is preceded by its length.
  Input getPart() {
    int length = getInt();
    ByteBuffer source = need(length, "a part");
    Input part = new Input(frame, source.slice(source.position(), length));
    source.position(source.position() + length);
    return part;
  }

  boolean hasRemaining() {
    return buffer.hasRemaining();
  }

  /// Reads a tensor's values.
  HeapStorage getValues(DType type, int count) {
    ByteBuffer source = need((long) count * type.bytes(), "a tensor");
    int start = source.arrayOffset() + source.position(); // the buffer may be a slice of the frame
    HeapStorage values = HeapStorage.zeros(type, count);
    MemorySegment bytes = MemorySegment.ofArray(frame.bytes());
    values.read(bytes, start, ByteOrder.LITTLE_ENDIAN, 0, count);
    source.position(source.position() + count * type.bytes());
    return values;
  }

  /// Returns the tensors handed over as objects. A message from another Vertx has none, whatever
  /// its bytes say.
  List<WireTensor> handedOver() {
    return frame.handedOver();
  }

  /// Reads the number of elements in a list, each of which takes at least `bytesEach` bytes.
  public int getCount(int bytesEach) {
    int count = getInt();
    need((long) count * bytesEach, "a list");
    return count;
  }

  public <T> @Nullable T getOptional(Function<Input, T> read) {
    return getByte() == 0 ? null : read.apply(this);
  }

  public void requireEnd() {
    if (buffer.hasRemaining()) {
      throw new WireException(
          "message has " + buffer.remaining() + " bytes after its end at " + buffer.position(),
          null);
    }
  }
}
