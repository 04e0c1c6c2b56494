// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.slot;

import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.idle.IdleStrategy;
import java.lang.foreign.MemorySegment;

/// The slots of a lane, which limit the data in transit: the writer fills a free slot with a chunk,
/// the reader copies it out and frees the slot.
///
/// A tag identifies the chunk in a slot: the id of its transfer and the index of the chunk. A tag
/// that nobody waits for is harmless.
public interface Slots extends AutoCloseable {
  /// This number of slots of this size stays in the caches of a core and its neighbours.
  int COUNT = 32;

  int CHUNK = 256 << 10;

  int CHUNK_BITS = 24;
  long MAX_TRANSFER_ID = (1L << (Long.SIZE - 1 - CHUNK_BITS)) - 1;

  /// Returns a slot's bytes.
  MemorySegment slot(int slot);

  /// Closes the lane on this side. Concurrent users get an [IllegalStateException], or their work
  /// has no effect.
  @Override
  void close();

  /// The writer's view.
  interface Out extends Slots {
    /// Returns whether the reader has freed a slot that was filled.
    boolean isFree(int slot);

    /// Returns how this thread waits for free slots.
    IdleStrategy idleStrategy(IdleStrategies strategies);

    /// Makes the first bytes of a slot visible to the reader.
    void fill(int slot, long tag, int bytes);

    /// Takes a chunk back, unless the reader is reading it; returns whether the slot is free now.
    /// If not, the reader will free it.
    boolean takeBack(int slot);

    /// Returns the maximum number of chunks of one transfer in slots: enough for the writer to go
    /// on while the reader allocates its arrays, but not all slots, so that other transfers get
    /// some.
    default int window() {
      return COUNT * 3 / 4;
    }

    /// Returns whether filled slots still have to be flushed, which may block.
    default boolean flushMayBlock() {
      return false;
    }

    /// Sends the filled slots.
    default void flush() {}
  }

  /// The reader's view.
  interface In extends Slots {
    /// Returns how this thread waits for chunks of a transfer.
    IdleStrategy idleStrategy(long transferId, IdleStrategies strategies);

    /// Lets chunks of a transfer be copied directly into these arrays, without slots, if the lane
    /// supports it; until the strategy is closed.
    default void deliver(long transferId, GatherBuffer buffer) {}

    /// Returns whether this chunk has been copied into the arrays.
    default boolean isDelivered(long tag) {
      return false;
    }

    /// Returns whether a slot holds this chunk.
    boolean holds(int slot, long tag);

    /// Takes a chunk, whose slot may be read from now on; returns its maximum size in bytes, or -1
    /// if the writer has taken it back before.
    int take(int slot, long tag);

    /// Returns a taken slot to the writer.
    void free(int slot);
  }

  /// Returns the number of chunks for a number of bytes.
  static long chunks(long bytes) {
    return (bytes + CHUNK - 1) / CHUNK;
  }

  /// Returns whether tags can number the chunks of a transfer of this size.
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
