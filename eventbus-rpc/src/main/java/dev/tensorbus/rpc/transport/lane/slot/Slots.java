// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.slot;

import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.idle.IdleStrategy;
import java.lang.foreign.MemorySegment;

/// The slots of a lane, which are its credit: the writer fills a slot that is free with a chunk,
/// the reader takes it out and frees the slot.
///
/// A tag tells which chunk is in a slot. It is made of the id of a transfer and the number of the
/// chunk. A tag that nobody asks for harms nobody.
public interface Slots extends AutoCloseable {
  /// So many slots of so many bytes stay in the caches of a core and its neighbours.
  int COUNT = 32;

  int CHUNK = 256 << 10;

  int CHUNK_BITS = 24;
  long MAX_TRANSFER_ID = (1L << (Long.SIZE - 1 - CHUNK_BITS)) - 1;

  /// A slot's bytes.
  MemorySegment slot(int slot);

  /// Ends the lane on this side. Who uses it meanwhile gets an [IllegalStateException], or works
  /// for nothing.
  @Override
  void close();

  /// As the writer sees them.
  interface Out extends Slots {
    /// Whether the reader has freed a slot that was filled.
    boolean isFree(int slot);

    /// How this thread is to wait for slots to be freed.
    IdleStrategy idleStrategy(IdleStrategies strategies);

    /// Lets the reader see the first bytes of a slot.
    void fill(int slot, long tag, int bytes);

    /// Takes back what a slot was filled with, unless the reader is at it; whether the slot is
    /// free now. If not, it will be.
    boolean takeBack(int slot);

    /// How many chunks of one transfer may wait in slots: so many that the writer can go on while
    /// the reader makes its arrays, and not all, so that another finds some.
    default int window() {
      return COUNT * 3 / 4;
    }

    /// Whether what was filled has yet to be sent, which may take a wait.
    default boolean flushMayBlock() {
      return false;
    }

    /// Sends what was filled.
    default void flush() {}
  }

  /// As the reader sees them.
  interface In extends Slots {
    /// How this thread is to wait for chunks of a transfer.
    IdleStrategy idleStrategy(long transferId, IdleStrategies strategies);

    /// Lets chunks of a transfer be put into these arrays at once, without a stay in slots, where
    /// that can be; until the strategy is closed.
    default void deliver(long transferId, GatherBuffer buffer) {}

    /// Whether this chunk has been put into the arrays.
    default boolean isDelivered(long tag) {
      return false;
    }

    /// Whether a slot holds this chunk.
    boolean holds(int slot, long tag);

    /// Takes a chunk, of which the slot may be read from now on; how many bytes it has at most,
    /// or -1 if the writer was first and has taken it back.
    int take(int slot, long tag);

    /// Gives a slot that was taken back to the writer.
    void free(int slot);
  }

  /// How many chunks so many bytes take.
  static long chunks(long bytes) {
    return (bytes + CHUNK - 1) / CHUNK;
  }

  /// Whether there are tags for so many bytes under this transfer id.
  static boolean canTag(long transferId, long bytes) {
    return transferId > 0
        && transferId <= MAX_TRANSFER_ID
        && bytes > 0
        && chunks(bytes) <= 1 << CHUNK_BITS;
  }

  /// The tag of a chunk.
  static long tag(long transferId, long chunk) {
    return transferId << CHUNK_BITS | chunk;
  }
}
