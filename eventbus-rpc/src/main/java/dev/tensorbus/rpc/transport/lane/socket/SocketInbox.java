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

/// The slots of a lane over a connection, at the reader. A received chunk, in [SocketOutbox]'s
/// format, is stored in the slot that it names or, if the transfer's arrays exist already, directly
/// in these. A peer that sends something invalid is disconnected; until then it can occupy only the
/// slots.
public final class SocketInbox implements Slots.In {
  private static final long FREE = 0;
  private static final long READING = -1;

  /// The number of freed slots to announce together, to disturb the writer less; fewer if nobody
  /// reads.
  private static final int BATCH = 4;

  private final Link link;
  private final IdleStrategies strategies;
  private final WaitSignals signals = new WaitSignals();
  private final Map<Long, DirectReceive> receives = new ConcurrentHashMap<>();

  /// Allocated on first use.
  private final @Nullable MemorySegment[] slots = new @Nullable MemorySegment[COUNT];

  private final int[] lengths = new int[COUNT];

  /// The tag of each slot, set once the whole chunk is in the slot.
  private final AtomicLongArray words = new AtomicLongArray(COUNT);

  /// Freed slots not yet announced to the writer. Guarded by itself.
  private final ByteBuffer owed = ByteBuffer.allocate(COUNT);

  private final ByteBuffer head =
      ByteBuffer.allocateDirect(SocketOutbox.HEAD).order(ByteOrder.LITTLE_ENDIAN);

  /// Where each chunk is received: off-heap, as the operating system needs it.
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

  /// Returns whether the buffer was filled before the connection ended.
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

  /// The writer takes the chunk back. If the reader is just reading the slot, the reader frees it.
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

  /// The waiting thread is woken only when everything has arrived.
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

  /// Records a freed slot; returns whether there is something to send.
  private boolean owe(int slot) {
    synchronized (owed) {
      owed.put((byte) slot);
      return owed.position() >= BATCH && tell();
    }
  }

  /// Announces the freed slots to the writer; returns whether there is something to send.
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
