// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.socket;

import dev.tensorbus.rpc.transport.lane.slot.GatherBuffer;
import dev.tensorbus.rpc.transport.lane.slot.Slots;
import java.lang.foreign.MemorySegment;

/// Receives the chunks of one transfer directly into its arrays, without slots. Chunks arrive in
/// order; those that arrived before the arrays were allocated are in slots.
final class DirectReceive {
  private static final long CHUNK_MASK = (1L << Slots.CHUNK_BITS) - 1;

  private final GatherBuffer buffer;
  private final long chunks;

  /// The index of the first chunk copied into the arrays.
  private long first;

  /// The index after the last chunk copied into the arrays, or 0 if there is none yet. The reader
  /// may use the chunks from `first` up to this index, exclusive.
  private volatile long next;

  DirectReceive(GatherBuffer buffer) {
    this.buffer = buffer;
    this.chunks = Slots.chunks(buffer.bytes());
  }

  /// Copies a chunk into the arrays if it has the right size and follows the last one copied, if
  /// any. Returns whether it was copied. Must not be called concurrently.
  boolean take(long tag, MemorySegment bytes) {
    long chunk = tag & CHUNK_MASK;
    boolean isNext = next == 0 ? chunk < chunks : chunk == next;
    if (!isNext || bytes.byteSize() != buffer.length(chunk)) {
      return false;
    }
    buffer.write(chunk, bytes);
    if (next == 0) {
      first = chunk;
    }
    next = chunk + 1;
    return true;
  }

  /// Returns whether the chunk with this tag is in the arrays.
  boolean has(long tag) {
    long chunk = tag & CHUNK_MASK;
    return chunk < next && chunk >= first;
  }

  /// Returns whether all chunks have arrived.
  boolean isDone() {
    return next == chunks;
  }
}
