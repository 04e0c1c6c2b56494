// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// The slots of a lane over a connection, at the writer. Each is a frame to be, a [SocketInbox]
/// has its twin.
///
/// ```
/// to the reader     tag i64 · bytes i32 · slot i32 · the chunk      little-endian
///                   tag i64 · 0 i32 · slot i32                      take this back
/// to the writer     slot u8                                         it is free again
/// ```
final class SocketOutbox implements Slots.Out {
  static final int HEAD = Long.BYTES + 2 * Integer.BYTES;
  private static final int BYTES_AT = Long.BYTES;
  private static final int SLOT_AT = Long.BYTES + Integer.BYTES;
  private static final long FREE = 0;

  private final Link link;
  private final Bell bell = new Bell();

  /// Outside of the heap, from where it is sent without another copy; made when first used.
  private final @Nullable ByteBuffer[] frames = new @Nullable ByteBuffer[COUNT];

  /// What a slot was filled with.
  private final AtomicLongArray tags = new AtomicLongArray(COUNT);

  SocketOutbox(Link link) {
    this.link = link;
  }

  /// Takes what the reader says. One thread at a time.
  void hear(Buffer bytes) {
    for (int i = 0; i < bytes.length(); i++) {
      int slot = bytes.getUnsignedByte(i);
      if (slot >= COUNT || tags.getAndSet(slot, FREE) == FREE) {
        link.cut("freed slot " + slot + ", which is not in use");
        return;
      }
    }
    bell.ring(FREE);
  }

  @Override
  public MemorySegment slot(int slot) {
    ByteBuffer frame = frames[slot];
    if (frame == null) {
      frame = ByteBuffer.allocateDirect(HEAD + CHUNK).order(ByteOrder.LITTLE_ENDIAN);
      frames[slot] = frame;
    }
    return MemorySegment.ofBuffer(frame).asSlice(HEAD);
  }

  @Override
  public Pause pause() {
    return bell.pause(FREE);
  }

  @Override
  public boolean isFree(int slot) {
    return tags.get(slot) == FREE;
  }

  @Override
  public void fill(int slot, long tag, int bytes) {
    ByteBuffer frame = Objects.requireNonNull(frames[slot]);
    frame.putLong(0, tag).putInt(BYTES_AT, bytes).putInt(SLOT_AT, slot);
    tags.set(slot, tag);
    link.send(wrapped(frame.slice(0, HEAD + bytes)));
  }

  @Override
  public boolean takeBack(int slot) {
    long tag = tags.get(slot);
    if (tag == FREE) {
      return true;
    }
    ByteBuffer frame = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
    link.send(wrapped(frame.putLong(0, tag).putInt(SLOT_AT, slot)));
    return false;
  }

  private static Buffer wrapped(ByteBuffer bytes) {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes));
  }

  @Override
  public void close() {
    link.close();
  }
}
