// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.slot;

import dev.tensorbus.rpc.thread.SystemThreads;
import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.idle.IdleStrategy;
import dev.tensorbus.rpc.thread.idle.YieldPolicy;
import dev.tensorbus.rpc.thread.time.Deadline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The sending side of a lane: copies chunks of transfers into free slots, round-robin.
///
/// A transfer of which the reader has taken no chunk may belong to a call that has not started and
/// may never start. All such transfers together get at most half of the slots, so that transfers
/// that a reader waits for always make progress.
public final class SlotWriter implements AutoCloseable {
  /// How long the writer's thread stays alive when there is nothing to send.
  private static final long REST_SECONDS = 10;

  private final Slots.Out slots;

  /// By slot: the transfer whose chunk is in it, or null.
  private final @Nullable Outgoing[] holders = new @Nullable Outgoing[Slots.COUNT];

  /// By slot: whether its chunk is visible to the reader.
  private final boolean[] isPublished = new boolean[Slots.COUNT];

  private final Map<Long, Outgoing> transfers = new LinkedHashMap<>();

  /// Transfers that still have chunks to put into slots.
  private final List<Outgoing> waiting = new ArrayList<>();

  private final LongSupplier transferIds;
  private final IdleStrategies strategies;

  /// Has a platform thread while there is something to send, and [#REST_SECONDS] longer.
  private final ThreadPoolExecutor mover =
      new ThreadPoolExecutor(
          1,
          1,
          REST_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          SystemThreads.factory("tensorbus-lane"));

  private boolean isPumping;
  private boolean isClosed;

  /// @param transferIds returns ids that no other lane to the same worker has used
  public SlotWriter(Slots.Out slots, LongSupplier transferIds, IdleStrategies strategies) {
    this.slots = slots;
    this.transferIds = transferIds;
    this.strategies = strategies;
    mover.allowCoreThreadTimeOut(true);
  }

  /// Adds a buffer, which a message will announce. The transfer is overdue after `nanos`.
  public synchronized Outgoing add(GatherBuffer buffer, long nanos) {
    Outgoing transfer =
        new Outgoing(
            this, transferIds.getAsLong(), buffer, Deadline.afterNanos(nanos, strategies.clock()));
    if (isClosed) {
      transfer.markEnded();
    } else {
      transfers.put(transfer.transferId(), transfer);
    }
    return transfer;
  }

  void start(Outgoing transfer) {
    if (!slots.flushMayBlock() && !ExecutionPolicy.isEventLoop()) {
      while (load(transfer)) {}
    }
    pumpRest(transfer);
  }

  private synchronized void pumpRest(Outgoing transfer) {
    if (transfer.isEnded() || transfer.isLoaded()) {
      return;
    }
    waiting.add(transfer);
    if (!isPumping) {
      isPumping = true;
      mover.execute(this::pump);
    }
  }

  private void pump() {
    try (IdleStrategy idle = slots.idleStrategy(strategies)) {
      pump(idle);
    }
  }

  private void pump(IdleStrategy idle) {
    YieldPolicy yields = strategies.forCopying();
    for (List<Outgoing> round = round(); !round.isEmpty(); round = round()) {
      int moved = 0;
      for (Outgoing transfer : round) {
        moved += load(transfer) ? 1 : 0;
      }
      idle.idle(moved);
      if (moved > 0) {
        yields.yieldIfDue();
      }
    }
  }

  private synchronized List<Outgoing> round() {
    waiting.removeIf(transfer -> transfer.isEnded() || transfer.isLoaded());
    isPumping = !waiting.isEmpty();
    return List.copyOf(waiting);
  }

  /// Copies the transfer's next chunk into a free slot. Returns whether a chunk was published.
  private boolean load(Outgoing transfer) {
    long chunk;
    int slot;
    synchronized (this) {
      slot = slotFor(transfer);
      if (slot < 0) {
        return false;
      }
      holders[slot] = transfer;
      chunk = transfer.takeSlot();
    }
    try {
      transfer.buffer().read(chunk, slots.slot(slot));
    } catch (IllegalStateException e) {
      return false; // the lane was closed, so the transfer has ended
    }
    boolean isPut = publish(slot, transfer, chunk);
    slots.flush();
    return isPut;
  }

  private synchronized boolean publish(int slot, Outgoing transfer, long chunk) {
    if (transfer.isEnded()) {
      holders[slot] = null;
      return false;
    }
    isPublished[slot] = true;
    slots.fill(slot, Slots.tag(transfer.transferId(), chunk), transfer.buffer().length(chunk));
    return true;
  }

  /// Returns the lowest free slot, so that the few slots in use stay in the cache, or -1 if the
  /// transfer has to wait.
  private int slotFor(Outgoing transfer) {
    if (transfer.isEnded() || transfer.isLoaded()) {
      return -1;
    }
    boolean isPatient = collect() >= Slots.COUNT / 2 && !transfer.isWanted();
    if (isPatient || transfer.inSlots() >= slots.window()) {
      return -1;
    }
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      if (holders[slot] == null) {
        return slot;
      }
    }
    return -1;
  }

  /// Frees the slots that the reader has emptied. Returns the number of slots that hold chunks of
  /// transfers that nobody is known to wait for.
  private int collect() {
    int unwanted = 0;
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      Outgoing holder = holders[slot];
      if (holder == null) {
        continue;
      }
      if (isPublished[slot] && slots.isFree(slot)) {
        holder.markWanted();
        free(slot, holder);
      } else if (!holder.isWanted()) {
        unwanted++;
      }
    }
    return unwanted;
  }

  private void free(int slot, Outgoing holder) {
    holders[slot] = null;
    isPublished[slot] = false;
    holder.leaveSlot();
    if (holder.isDone()) {
      transfers.remove(holder.transferId());
    }
  }

  /// Records that the reader waits for a transfer.
  public synchronized void want(long transferId) {
    Outgoing transfer = transfers.get(transferId);
    if (transfer != null) {
      transfer.markWanted();
    }
  }

  /// Cancels a transfer. A chunk that the reader is copying stays in its slot until the reader is
  /// done.
  synchronized void end(Outgoing transfer) {
    if (transfer.isEnded()) {
      return;
    }
    transfer.markEnded();
    transfers.remove(transfer.transferId());
    for (int slot = 0; slot < Slots.COUNT && !isClosed; slot++) {
      if (transfer.equals(holders[slot]) && isPublished[slot] && slots.takeBack(slot)) {
        free(slot, transfer);
      }
    }
  }

  /// Ends overdue transfers. Returns the number of transfers that are still active.
  public synchronized int tidy() {
    if (isClosed) {
      return 0;
    }
    collect();
    List.copyOf(transfers.values()).stream().filter(Outgoing::isOverdue).forEach(this::end);
    return transfers.size();
  }

  /// Returns the number of active transfers, including completed ones that [#tidy] has not removed
  /// yet.
  public synchronized int underWay() {
    return isClosed ? 0 : transfers.size();
  }

  @Override
  public synchronized void close() {
    List.copyOf(transfers.values()).forEach(this::end);
    isClosed = true;
    mover.shutdown(); // later transfers end at once
    slots.close();
  }
}
