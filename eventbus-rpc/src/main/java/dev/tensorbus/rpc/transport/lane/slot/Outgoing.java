// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.slot;

import dev.tensorbus.rpc.call.Transfer;
import dev.tensorbus.rpc.thread.time.Deadline;

/// The progress of sending one buffer. Its mutable state is guarded by the [SlotWriter].
public final class Outgoing implements Transfer {
  private final SlotWriter writer;
  private final long transferId;
  private final GatherBuffer buffer;
  private final long chunks;
  private final Deadline deadline;

  /// The index of the next chunk to put into a slot.
  private long next;

  /// The number of slots that hold chunks of this transfer.
  private int inSlots;

  private boolean isWanted;
  private boolean isEnded;

  Outgoing(SlotWriter writer, long transferId, GatherBuffer buffer, Deadline deadline) {
    this.writer = writer;
    this.transferId = transferId;
    this.buffer = buffer;
    this.chunks = Slots.chunks(buffer.bytes());
    this.deadline = deadline;
  }

  @Override
  public void start() {
    writer.start(this);
  }

  @Override
  public void end() {
    writer.end(this);
  }

  public long transferId() {
    return transferId;
  }

  GatherBuffer buffer() {
    return buffer;
  }

  boolean isOverdue() {
    return deadline.isOver();
  }

  /// Returns whether every chunk has been assigned a slot.
  public boolean isLoaded() {
    return next == chunks;
  }

  /// Returns whether nothing is left to do.
  boolean isDone() {
    return isEnded || (isLoaded() && inSlots == 0);
  }

  boolean isEnded() {
    return isEnded;
  }

  void markEnded() {
    isEnded = true;
  }

  /// Returns whether the reader is known to wait for this transfer.
  boolean isWanted() {
    return isWanted;
  }

  void markWanted() {
    isWanted = true;
  }

  int inSlots() {
    return inSlots;
  }

  /// Records that a slot is taken, and returns the index of the chunk to put there.
  long takeSlot() {
    inSlots++;
    return next++;
  }

  /// Records that a slot is free again.
  void leaveSlot() {
    inSlots--;
  }
}
