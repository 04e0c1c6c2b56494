// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The sending side of a lane: puts chunks of shipments into free slots, some of each in turn.
///
/// A shipment of which nobody has taken anything may be of a call that has yet to begin, or never
/// will: such shipments together get half of the slots, so that those that are waited for always
/// go on.
final class SlotWriter implements AutoCloseable {
  /// How long its thread stays when there is nothing to send.
  private static final long REST_SECONDS = 10;

  private final Slots.Out slots;

  /// Whose chunk a slot holds.
  private final @Nullable Outgoing[] holders = new @Nullable Outgoing[Slots.COUNT];

  /// Whether the holder has put its chunk there.
  private final boolean[] isPublished = new boolean[Slots.COUNT];

  private final Map<Long, Outgoing> shipments = new LinkedHashMap<>();

  /// Shipments of which not all is in slots yet.
  private final List<Outgoing> waiting = new ArrayList<>();

  private final LongSupplier tickets;

  /// Has a thread of the system's while there is something to do, and a while longer.
  private final ThreadPoolExecutor mover =
      new ThreadPoolExecutor(
          1,
          1,
          REST_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("tensorbus-lane").factory());

  private boolean isPumping;
  private boolean isClosed;

  /// @param tickets gives numbers that no other lane from here to the same worker has used
  SlotWriter(Slots.Out slots, LongSupplier tickets) {
    this.slots = slots;
    this.tickets = tickets;
    mover.allowCoreThreadTimeOut(true);
  }

  /// Notes a cargo that a message is to announce, for `nanos` at most.
  synchronized Outgoing add(Cargo cargo, long nanos) {
    Outgoing shipment = new Outgoing(this, tickets.getAsLong(), cargo, nanos);
    if (isClosed) {
      shipment.markEnded();
    } else {
      shipments.put(shipment.ticket(), shipment);
    }
    return shipment;
  }

  void start(Outgoing shipment) {
    if (!slots.mayWait() && !Context.isOnEventLoopThread()) {
      while (load(shipment)) {}
    }
    pumpRest(shipment);
  }

  private synchronized void pumpRest(Outgoing shipment) {
    if (shipment.isEnded() || shipment.isLoaded()) {
      return;
    }
    waiting.add(shipment);
    if (!isPumping) {
      isPumping = true;
      mover.execute(this::pump);
    }
  }

  private void pump() {
    try (Pause pause = slots.pause()) {
      pump(pause);
    }
  }

  private void pump(Pause pause) {
    Courtesy courtesy = new Courtesy();
    for (List<Outgoing> round = round(); !round.isEmpty(); round = round()) {
      boolean hasMoved = false;
      for (Outgoing shipment : round) {
        hasMoved |= load(shipment);
      }
      if (hasMoved) {
        pause.reset();
        courtesy.offer();
      } else {
        pause.take();
      }
    }
  }

  private synchronized List<Outgoing> round() {
    waiting.removeIf(shipment -> shipment.isEnded() || shipment.isLoaded());
    isPumping = !waiting.isEmpty();
    return List.copyOf(waiting);
  }

  /// Puts one chunk into a slot; whether there was room.
  private boolean load(Outgoing shipment) {
    long chunk;
    int slot;
    synchronized (this) {
      slot = slotFor(shipment);
      if (slot < 0) {
        return false;
      }
      holders[slot] = shipment;
      chunk = shipment.takeSlot();
    }
    try {
      shipment.cargo().read(chunk, slots.slot(slot));
    } catch (IllegalStateException e) {
      return false; // closed meanwhile: the shipment has ended
    }
    boolean isPut = publish(slot, shipment, chunk);
    slots.flush();
    return isPut;
  }

  private synchronized boolean publish(int slot, Outgoing shipment, long chunk) {
    if (shipment.isEnded()) {
      holders[slot] = null;
      return false;
    }
    isPublished[slot] = true;
    slots.fill(slot, Slots.tag(shipment.ticket(), chunk), shipment.cargo().length(chunk));
    return true;
  }

  /// The first free slot, so that few are used and stay in the cache; -1 if the shipment has to
  /// wait.
  private int slotFor(Outgoing shipment) {
    if (shipment.isEnded() || shipment.isLoaded()) {
      return -1;
    }
    boolean isPatient = collect() >= Slots.COUNT / 2 && !shipment.isWanted();
    if (isPatient || shipment.inSlots() >= slots.window()) {
      return -1;
    }
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      if (holders[slot] == null) {
        return slot;
      }
    }
    return -1;
  }

  /// Takes back the slots that the reader has emptied; how many hold what nobody is known to
  /// want.
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
      shipments.remove(holder.ticket());
    }
  }

  /// Hears that the reader waits for a shipment.
  synchronized void want(long ticket) {
    Outgoing shipment = shipments.get(ticket);
    if (shipment != null) {
      shipment.markWanted();
    }
  }

  /// Takes a shipment back. What the reader copies just now stays until it has.
  synchronized void end(Outgoing shipment) {
    if (shipment.isEnded()) {
      return;
    }
    shipment.markEnded();
    shipments.remove(shipment.ticket());
    for (int slot = 0; slot < Slots.COUNT && !isClosed; slot++) {
      if (shipment.equals(holders[slot]) && isPublished[slot] && slots.takeBack(slot)) {
        free(slot, shipment);
      }
    }
  }

  /// Ends what is overdue; how many shipments are under way.
  synchronized int tidy() {
    if (isClosed) {
      return 0;
    }
    collect();
    List.copyOf(shipments.values()).stream().filter(Outgoing::isOverdue).forEach(this::end);
    return shipments.size();
  }

  @Override
  public synchronized void close() {
    List.copyOf(shipments.values()).forEach(this::end);
    isClosed = true;
    mover.shutdown(); // nothing follows: shipments that are added now have ended
    slots.close();
  }
}
