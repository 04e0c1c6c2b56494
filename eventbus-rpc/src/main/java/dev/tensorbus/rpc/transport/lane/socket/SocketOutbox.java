// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.idle.IdleStrategy;
import dev.tensorbus.rpc.thread.idle.WaitSignals;
import dev.tensorbus.rpc.transport.lane.slot.Slots;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// The writer's end of a lane over a connection. Each slot is a frame to send; the reader's end is
/// a [SocketInbox].
///
/// ```
/// to the reader     tag i64 · bytes i32 · slot i32 · the chunk      little-endian
///                   tag i64 · 0 i32 · slot i32                      take this chunk back
/// to the writer     slot u8                                         the slot is free again
/// ```
public final class SocketOutbox implements Slots.Out {
  static final int HEAD = Long.BYTES + 2 * Integer.BYTES;
  private static final int BYTES_AT = Long.BYTES;
  private static final int SLOT_AT = Long.BYTES + Integer.BYTES;
  private static final long FREE = 0;

  private final Link link;
  private final WaitSignals signals = new WaitSignals();

  /// The frame of each slot, allocated on first use: off-heap, so that it is sent without another
  /// copy.
  private final @Nullable ByteBuffer[] frames = new @Nullable ByteBuffer[COUNT];

  /// The tags of the chunks in the slots.
  private final AtomicLongArray tags = new AtomicLongArray(COUNT);

  public SocketOutbox(Link link) {
    this.link = link;
  }

  /// Handles the reader's messages until the connection ends.
  ///
  /// @throws WireException if a message is invalid
  public void read(ReadableByteChannel channel) throws IOException {
    ByteBuffer said = ByteBuffer.allocateDirect(COUNT);
    while (channel.read(said.clear()) >= 0) {
      for (said.flip(); said.hasRemaining(); ) {
        freed(Byte.toUnsignedInt(said.get()));
      }
      signals.signal(FREE);
    }
  }

  private void freed(int slot) {
    if (slot >= COUNT || tags.getAndSet(slot, FREE) == FREE) {
      throw new WireException("freed slot " + slot + ", which is not in use", null);
    }
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
  public IdleStrategy idleStrategy(IdleStrategies strategies) {
    return signals.await(FREE, () -> {});
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
    link.add(frame.slice(0, HEAD + bytes));
  }

  @Override
  public boolean flushMayBlock() {
    return true;
  }

  /// With 8 chunks, an echo of 4 MiB took 4.5 ms; with 20, it took 8.8 ms.
  @Override
  public int window() {
    return 8;
  }

  @Override
  public void flush() {
    link.flush();
  }

  @Override
  public boolean takeBack(int slot) {
    long tag = tags.get(slot);
    if (tag == FREE) {
      return true;
    }
    ByteBuffer frame = ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN);
    link.add(frame.putLong(0, tag).putInt(SLOT_AT, slot));
    link.flushSoon();
    return false;
  }

  @Override
  public void close() {
    link.close();
  }
}
