// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import dev.tensorbus.rpc.WireException;
import io.vertx.core.buffer.Buffer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// The slots of a lane over a connection, at the reader: what comes, in the form that
/// [SocketOutbox] tells, is put into the slot that it names. A peer that says what cannot be is
/// cut off; until then it costs the slots, no more.
final class SocketInbox implements Slots.In {
  private static final long FREE = 0;
  private static final long READING = -1;

  private final Link link;
  private final Bell bell = new Bell();

  /// Made when first used.
  private final @Nullable ByteBuffer[] slots = new @Nullable ByteBuffer[COUNT];

  private final int[] lengths = new int[COUNT];

  /// What is in a slot: once a tag stands here, all of the chunk does.
  private final AtomicLongArray words = new AtomicLongArray(COUNT);

  private final ByteBuffer head =
      ByteBuffer.allocate(SocketOutbox.HEAD).order(ByteOrder.LITTLE_ENDIAN);

  /// Of the frame that is coming: its chunk's tag, slot, and how much of it is here.
  private long tag;

  private int slot;
  private int filled;

  private boolean isCut;

  SocketInbox(Link link) {
    this.link = link;
  }

  /// Takes what the writer says. One thread at a time.
  void hear(Buffer bytes) {
    try {
      for (int at = 0; at < bytes.length() && !isCut; ) {
        at += head.hasRemaining() ? readHead(bytes, at) : readChunk(bytes, at);
      }
    } catch (WireException e) {
      isCut = true;
      link.cut(String.valueOf(e.getMessage()));
    }
  }

  private int readHead(Buffer bytes, int at) {
    int count = Math.min(head.remaining(), bytes.length() - at);
    bytes.getBytes(at, at + count, head.array(), head.position());
    head.position(head.position() + count);
    if (!head.hasRemaining()) {
      begin(head.getLong(0), head.getInt(Long.BYTES), head.getInt(Long.BYTES + Integer.BYTES));
    }
    return count;
  }

  private void begin(long newTag, int length, int newSlot) {
    if (newSlot < 0 || newSlot >= COUNT || length < 0 || length > CHUNK) {
      throw new WireException("a chunk of " + length + " bytes for slot " + newSlot, null);
    }
    if (newTag >>> CHUNK_BITS == 0 || newTag < 0) {
      throw new WireException("a chunk with tag " + newTag, null);
    }
    if (length == 0) {
      takenBack(newTag, newSlot);
      return;
    }
    if (words.get(newSlot) != FREE) {
      throw new WireException("a second chunk for slot " + newSlot, null);
    }
    tag = newTag;
    slot = newSlot;
    filled = 0;
    lengths[slot] = length;
    if (slots[slot] == null) {
      slots[slot] = ByteBuffer.allocate(CHUNK);
    }
  }

  /// What is being read is freed by its reader.
  private void takenBack(long oldTag, int oldSlot) {
    head.clear();
    if (words.compareAndSet(oldSlot, oldTag, FREE)) {
      tellFree(oldSlot);
    }
  }

  private int readChunk(Buffer bytes, int at) {
    int count = Math.min(lengths[slot] - filled, bytes.length() - at);
    bytes.getBytes(at, at + count, Objects.requireNonNull(slots[slot]).array(), filled);
    filled += count;
    if (filled == lengths[slot]) {
      head.clear();
      words.set(slot, tag);
      bell.ring(tag >>> CHUNK_BITS);
    }
    return count;
  }

  @Override
  public Pause pause(long ticket) {
    return bell.pause(ticket);
  }

  @Override
  public boolean holds(int slot, long tag) {
    return words.get(slot) == tag;
  }

  @Override
  public int take(int slot, long tag) {
    return words.compareAndSet(slot, tag, READING) ? lengths[slot] : -1;
  }

  @Override
  public MemorySegment slot(int slot) {
    return MemorySegment.ofBuffer(Objects.requireNonNull(slots[slot]));
  }

  @Override
  public void free(int slot) {
    words.set(slot, FREE);
    tellFree(slot);
  }

  private void tellFree(int slot) {
    if (link.isFull()) {
      link.cut("does not take what it is told");
    } else {
      link.send(Buffer.buffer(new byte[] {(byte) slot}));
    }
  }

  @Override
  public void close() {
    link.close();
  }
}
