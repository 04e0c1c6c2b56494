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

/// The slots of a lane over a connection, at the reader: what comes, in the form that
/// [SocketOutbox] tells, is put into the slot that it names, or, once somebody has arrays for it,
/// into these at once. A peer that says what cannot be is cut off; until then it costs the slots,
/// no more.
public final class SocketInbox implements Slots.In {
  private static final long FREE = 0;
  private static final long READING = -1;

  /// So many slots are told free at once, to disturb the writer less; fewer when nobody reads.
  private static final int BATCH = 4;

  private final Link link;
  private final IdleStrategies strategies;
  private final WaitSignals signals = new WaitSignals();
  private final Map<Long, DirectReceive> receives = new ConcurrentHashMap<>();

  /// Made when first used.
  private final @Nullable MemorySegment[] slots = new @Nullable MemorySegment[COUNT];

  private final int[] lengths = new int[COUNT];

  /// The tag of a slot: once it stands here, all of the chunk does.
  private final AtomicLongArray words = new AtomicLongArray(COUNT);

  /// Slots that are free and that the writer has yet to hear of. Guarded by itself.
  private final ByteBuffer owed = ByteBuffer.allocate(COUNT);

  private final ByteBuffer head =
      ByteBuffer.allocateDirect(SocketOutbox.HEAD).order(ByteOrder.LITTLE_ENDIAN);

  /// Where each chunk lands: outside of the heap, as the system wants it.
  private final ByteBuffer landing = ByteBuffer.allocateDirect(CHUNK);

  public SocketInbox(Link link, IdleStrategies strategies) {
    this.link = link;
    this.strategies = strategies;
  }

  /// Takes what the writer says until the connection ends.
  ///
  /// @throws WireException if it cannot be
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

  /// Whether there was enough before the connection ended.
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
      throw new WireException("a second chunk for slot " + slot, null);
    }
  }

  /// The reader frees a slot that it is reading.
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

  /// Nobody is woken before all is there.
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

  /// Notes that a slot is free; whether there is something to be sent.
  private boolean owe(int slot) {
    synchronized (owed) {
      owed.put((byte) slot);
      return owed.position() >= BATCH && tell();
    }
  }

  /// Tells the writer what slots are free; whether there is something to be sent.
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
