// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.slot;

import dev.tensorbus.rpc.call.Transfer;
import dev.tensorbus.rpc.thread.time.Deadline;

/// How far the transfer of one buffer has come. Guarded by its [SlotWriter].
public final class Outgoing implements Transfer {
  private final SlotWriter writer;
  private final long transferId;
  private final GatherBuffer buffer;
  private final long chunks;
  private final Deadline deadline;

  /// The next chunk that has yet to be put into a slot.
  private long next;

  /// How many slots hold chunks of it.
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

  /// Whether all of it is in slots or was.
  public boolean isLoaded() {
    return next == chunks;
  }

  /// Whether nothing of it is left to do.
  boolean isDone() {
    return isEnded || (isLoaded() && inSlots == 0);
  }

  boolean isEnded() {
    return isEnded;
  }

  void markEnded() {
    isEnded = true;
  }

  /// Whether the reader is known to wait for it.
  boolean isWanted() {
    return isWanted;
  }

  void markWanted() {
    isWanted = true;
  }

  int inSlots() {
    return inSlots;
  }

  /// Takes a slot; gives the chunk to put there.
  long takeSlot() {
    inSlots++;
    return next++;
  }

  /// Gives a slot back.
  void leaveSlot() {
    inSlots--;
  }
}
