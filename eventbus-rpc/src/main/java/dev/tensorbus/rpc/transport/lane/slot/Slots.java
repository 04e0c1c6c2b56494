// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.slot;

import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.idle.IdleStrategy;
import java.lang.foreign.MemorySegment;

/// The slots of a lane, which limit the data in transit. The writer fills a free slot with a chunk;
/// the reader copies the chunk out and frees the slot.
///
/// A tag, which consists of a transfer id and a chunk index, identifies the chunk in a slot. A
/// chunk whose tag nobody waits for is harmless.
public interface Slots extends AutoCloseable {
  /// The number of slots. Together, the slots occupy 8 MiB, which fits in the caches of a core and
  /// its neighbours.
  int COUNT = 32;

  int CHUNK = 256 << 10;

  int CHUNK_BITS = 24;
  long MAX_TRANSFER_ID = (1L << (Long.SIZE - 1 - CHUNK_BITS)) - 1;

  /// Returns the memory of a slot.
  MemorySegment slot(int slot);

  /// Closes the lane on this side. Concurrent operations throw an [IllegalStateException] or have
  /// no effect.
  @Override
  void close();

  /// The writer's view.
  interface Out extends Slots {
    /// Returns whether the reader has freed a filled slot.
    boolean isFree(int slot);

    /// Returns the strategy with which this thread waits for free slots.
    IdleStrategy idleStrategy(IdleStrategies strategies);

    /// Publishes the first `bytes` bytes of a slot to the reader, as the chunk with this tag.
    void fill(int slot, long tag, int bytes);

    /// Takes a chunk back unless the reader is reading it. Returns whether the slot is free now; if
    /// not, the reader will free it.
    boolean takeBack(int slot);

    /// Returns the maximum number of slots that one transfer may occupy: enough for the writer to
    /// continue while the reader allocates arrays, but not all, so that other transfers get slots
    /// too.
    default int window() {
      return COUNT * 3 / 4;
    }

    /// Returns whether filled slots must be flushed, which may block.
    default boolean flushMayBlock() {
      return false;
    }

    /// Sends the filled slots.
    default void flush() {}
  }

  /// The reader's view.
  interface In extends Slots {
    /// Returns the strategy with which this thread waits for chunks of a transfer.
    IdleStrategy idleStrategy(long transferId, IdleStrategies strategies);

    /// Allows the lane, if it supports that, to copy chunks of a transfer directly into these
    /// arrays, without slots, until the transfer's idle strategy is closed.
    default void deliver(long transferId, GatherBuffer buffer) {}

    /// Returns whether the chunk with this tag has been copied directly into the arrays.
    default boolean isDelivered(long tag) {
      return false;
    }

    /// Returns whether a slot holds the chunk with this tag.
    boolean holds(int slot, long tag);

    /// Takes a chunk, after which its slot may be read. Returns an upper bound on the chunk's size
    /// in bytes, or -1 if the writer has taken the chunk back.
    int take(int slot, long tag);

    /// Returns a taken slot to the writer.
    void free(int slot);
  }

  /// Returns the number of chunks in a transfer of the given size.
  static long chunks(long bytes) {
    return (bytes + CHUNK - 1) / CHUNK;
  }

  /// Returns whether tags can represent all chunks of a transfer with this id and size.
  static boolean canTag(long transferId, long bytes) {
    return transferId > 0
        && transferId <= MAX_TRANSFER_ID
        && bytes > 0
        && chunks(bytes) <= 1 << CHUNK_BITS;
  }

  /// Returns the tag of a chunk.
  static long tag(long transferId, long chunk) {
    return transferId << CHUNK_BITS | chunk;
  }
}
