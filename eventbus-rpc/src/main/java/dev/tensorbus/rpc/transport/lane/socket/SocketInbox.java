// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.idle.IdleStrategy;
import dev.tensorbus.rpc.thread.idle.WaitSignals;
import dev.tensorbus.rpc.thread.idle.YieldPolicy;
import dev.tensorbus.rpc.transport.lane.slot.GatherBuffer;
import dev.tensorbus.rpc.transport.lane.slot.Slots;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ReadableByteChannel;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// The reader's end of a lane over a connection; [SocketOutbox] describes the format. A received
/// chunk is stored in the slot that its header names or, if the arrays of its transfer are already
/// allocated, directly in them. A peer that sends invalid data is disconnected; until then, it can
/// occupy only the memory of the slots.
public final class SocketInbox implements Slots.In {
  private static final long FREE = 0;
  private static final long READING = -1;

  /// The number of freed slots that are announced together, to interrupt the writer less often.
  /// Fewer are announced at the end of a transfer.
  private static final int BATCH = 4;

  private final Link link;
  private final IdleStrategies strategies;
  private final WaitSignals signals = new WaitSignals();
  private final Map<Long, DirectReceive> receives = new ConcurrentHashMap<>();

  /// The memory of each slot, allocated on first use.
  private final @Nullable MemorySegment[] slots = new @Nullable MemorySegment[COUNT];

  private final int[] lengths = new int[COUNT];

  /// The state of each slot: `FREE`, `READING`, or the tag of the complete chunk in it.
  private final AtomicLongArray words = new AtomicLongArray(COUNT);

  /// Freed slots not yet announced to the writer. Guarded by itself.
  private final ByteBuffer owed = ByteBuffer.allocate(COUNT);

  private final ByteBuffer head =
      ByteBuffer.allocateDirect(SocketOutbox.HEAD).order(ByteOrder.LITTLE_ENDIAN);

  /// The buffer that receives each chunk; off-heap, so that the operating system can write to it
  /// directly.
  private final ByteBuffer landing = ByteBuffer.allocateDirect(CHUNK);

  public SocketInbox(Link link, IdleStrategies strategies) {
    this.link = link;
    this.strategies = strategies;
  }

  /// Handles the writer's messages until the connection ends.
  ///
  /// @throws WireException if a message is invalid
  public void read(ReadableByteChannel channel) throws IOException {
    YieldPolicy yields = strategies.forCopying();
    while (fill(head.clear(), channel)) {
      long tag = head.getLong(0);
      int length = head.getInt(Long.BYTES);
      int slot = head.getInt(Long.BYTES + Integer.BYTES);
      requirePossible(tag, length, slot);
      if (length == 0) {
        takenBack(tag, slot);
      } else if (fill(landing.clear().limit(length), channel)) {
        land(tag, length, slot);
        yields.yieldIfDue();
      }
    }
  }

  /// Fills the buffer. Returns false if the connection ended first.
  private static boolean fill(ByteBuffer bytes, ReadableByteChannel channel) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        return false;
      }
    }
    return true;
  }

  private void requirePossible(long tag, int length, int slot) {
    if (slot < 0 || slot >= COUNT || length < 0 || length > CHUNK) {
      throw new WireException("a chunk of " + length + " bytes for slot " + slot, null);
    }
    if (tag >>> CHUNK_BITS == 0 || tag < 0) {
      throw new WireException("a chunk with tag " + tag, null);
    }
    if (length > 0 && words.get(slot) != FREE) {
      throw new WireException("a second chunk for occupied slot " + slot, null);
    }
  }

  /// Frees a slot whose chunk the writer takes back. If a thread is reading the slot, that thread
  /// frees it.
  private void takenBack(long tag, int slot) {
    if (words.compareAndSet(slot, tag, FREE)) {
      owe(slot);
      tell();
      link.flush();
    }
  }

  private void land(long tag, int length, int slot) {
    long transferId = tag >>> CHUNK_BITS;
    MemorySegment chunk = MemorySegment.ofBuffer(landing.flip());
    DirectReceive receive = receives.get(transferId);
    if (receive != null && receive.take(tag, chunk)) {
      delivered(receive, slot, transferId);
    } else {
      store(chunk, slot);
      lengths[slot] = length;
      words.set(slot, tag);
      signals.signal(transferId);
    }
  }

  private void store(MemorySegment chunk, int slot) {
    MemorySegment bytes = slots[slot];
    if (bytes == null) {
      bytes = MemorySegment.ofArray(new byte[CHUNK]);
      slots[slot] = bytes;
    }
    bytes.copyFrom(chunk);
  }

  /// Handles a chunk that was copied into the arrays. Wakes the waiting thread only when the whole
  /// transfer has arrived.
  private void delivered(DirectReceive receive, int slot, long transferId) {
    boolean isTold = owe(slot);
    if (receive.isDone()) {
      signals.signal(transferId);
      isTold |= tell();
    }
    if (isTold) {
      link.flush();
    }
  }

  /// Records a freed slot. Returns whether the link must be flushed.
  private boolean owe(int slot) {
    synchronized (owed) {
      owed.put((byte) slot);
      return owed.position() >= BATCH && tell();
    }
  }

  /// Queues the announcement of the freed slots. Returns whether the link must be flushed.
  private boolean tell() {
    synchronized (owed) {
      if (owed.position() == 0) {
        return false;
      }
      byte[] told = new byte[owed.flip().remaining()];
      owed.get(told).clear();
      link.add(ByteBuffer.wrap(told));
      return true;
    }
  }

  @Override
  public IdleStrategy idleStrategy(long transferId, IdleStrategies strategies) {
    return signals.await(transferId, () -> leave(transferId));
  }

  private void leave(long transferId) {
    receives.remove(transferId);
    if (tell()) {
      link.flushSoon();
    }
  }

  @Override
  public void deliver(long transferId, GatherBuffer buffer) {
    receives.putIfAbsent(transferId, new DirectReceive(buffer));
  }

  @Override
  public boolean isDelivered(long tag) {
    DirectReceive receive = receives.get(tag >>> CHUNK_BITS);
    return receive != null && receive.has(tag);
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
    return Objects.requireNonNull(slots[slot]);
  }

  @Override
  public void free(int slot) {
    words.set(slot, FREE);
    if (owe(slot)) {
      link.flushSoon();
    }
  }

  @Override
  public void close() {
    link.close();
  }
}
