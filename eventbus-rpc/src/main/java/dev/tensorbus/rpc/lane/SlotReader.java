// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.WireTensor;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/// The receiving side of a lane. Each message's tensors are taken out of the slots by the thread
/// that wants them; their order does not matter.
final class SlotReader implements AutoCloseable {
  /// How long to look for a shipment before its sender is told that it is waited for.
  private static final long UNHURRIED = TimeUnit.MILLISECONDS.toNanos(2);

  /// What takes so long to copy that another thread starting for it makes no difference. For 16
  /// MiB that took 0.36 ms of 3.6.
  private static final long LARGE = 32 << 20;

  private static final long REMINDER = TimeUnit.MILLISECONDS.toNanos(200);

  /// A sender that says nothing for so long has given the shipment up.
  private static final long SILENCE = TimeUnit.SECONDS.toNanos(30);

  private final Slots.In slots;
  private final LongConsumer want;
  private final int mostKib;

  /// What shipments that are arriving may take of this process's memory, in KiB. One that is
  /// larger than all of it comes alone.
  private final Semaphore room;

  private volatile boolean isClosed;

  /// @param want tells the sender that a ticket is waited for
  /// @param mostBytes what shipments that are arriving may take of the heap
  SlotReader(Slots.In slots, LongConsumer want, long mostBytes) {
    this.slots = slots;
    this.want = want;
    this.mostKib = Math.clamp(mostBytes >> 10, 1, Integer.MAX_VALUE);
    this.room = new Semaphore(mostKib, true);
  }

  /// Fetches the tensors of a message. Blocks until all are here, for `nanos` at most. Takes
  /// memory only when the first chunk is here.
  ///
  /// @throws RpcTimeoutException if they do not come in time
  /// @throws WireException if there are no such shipments
  /// @throws IllegalStateException if the lane is closed
  List<WireTensor> fetch(Payload payload, long nanos) {
    long bytes = payload.tensorBytes();
    if (!Slots.canTag(payload.ticket(), bytes)) {
      throw new WireException(
          "no shipment has ticket " + payload.ticket() + " and " + bytes + " bytes", null);
    }
    long deadline = System.nanoTime() + nanos;
    awaitFirst(payload.ticket(), deadline);
    int kib = (int) Math.min(mostKib, 1 + (bytes >> 10));
    acquireRoom(kib, deadline);
    try {
      return bytes < LARGE
          ? receive(payload, bytes, deadline)
          : Aside.call(() -> receive(payload, bytes, deadline));
    } finally {
      room.release(kib);
    }
  }

  private void awaitFirst(long ticket, long deadline) {
    try (Pause pause = slots.pause(ticket)) {
      new Arrival(ticket, deadline, pause).await(0);
    }
  }

  private void acquireRoom(int kib, long deadline) {
    try {
      if (!room.tryAcquire(kib, deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw new RpcTimeoutException("there was no room for the tensors of a message in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while it waited for room for tensors");
    }
  }

  private List<WireTensor> receive(Payload payload, long bytes, long deadline) {
    try (Pause pause = slots.pause(payload.ticket())) {
      Arrival arrival = new Arrival(payload.ticket(), deadline, pause);
      Cargo cargo = Cargo.roomFor(payload.tensors());
      slots.deliver(payload.ticket(), cargo);
      for (long chunk = 0; chunk < Slots.chunks(bytes); chunk++) {
        arrival.take(chunk, cargo);
      }
      return cargo.fill(payload.tensors());
    }
  }

  /// Ends every wait.
  @Override
  public void close() {
    isClosed = true;
    slots.close();
  }

  /// One shipment that is waited for.
  private final class Arrival {
    private final long ticket;
    private final long deadline;
    private final Pause pause;
    private final Courtesy courtesy = new Courtesy();

    /// Where the last chunk was; the next is likely near.
    private int slot;

    private Arrival(long ticket, long deadline, Pause pause) {
      this.ticket = ticket;
      this.deadline = deadline;
      this.pause = pause;
    }

    private void take(long chunk, Cargo cargo) {
      await(chunk);
      long tag = Slots.tag(ticket, chunk);
      if (slots.isDelivered(tag)) {
        return;
      }
      int bytes = slots.take(slot, tag);
      if (bytes < 0) {
        throw new WireException("shipment " + ticket + " was taken back by its sender", null);
      }
      try {
        requireWhole(chunk, bytes, cargo.length(chunk));
        cargo.write(chunk, slots.slot(slot));
      } finally {
        slots.free(slot);
      }
      courtesy.offer();
    }

    private void requireWhole(long chunk, int given, int expected) {
      if (given < expected) {
        throw new WireException(
            "chunk %d of shipment %d has %d bytes of %d".formatted(chunk, ticket, given, expected),
            null);
      }
    }

    /// Waits until a chunk is in a slot or in its place.
    private void await(long chunk) {
      long tag = Slots.tag(ticket, chunk);
      long start = System.nanoTime();
      long reminder = start + UNHURRIED;
      pause.reset();
      while (!find(tag)) {
        pause.take();
        long now = System.nanoTime();
        requireHope(now, start);
        if (now - reminder > 0) {
          want.accept(ticket);
          reminder = now + REMINDER;
        }
      }
    }

    private boolean find(long tag) {
      if (slots.isDelivered(tag)) {
        return true;
      }
      for (int i = 0; i < Slots.COUNT; i++) {
        if (slots.holds(slot, tag)) {
          return true;
        }
        slot = (slot + 1) % Slots.COUNT;
      }
      return false;
    }

    private void requireHope(long now, long start) {
      if (isClosed) {
        throw new IllegalStateException("the lane is closed");
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new CancellationException("interrupted while it waited for tensors");
      }
      if (now - deadline > 0 || now - start > SILENCE) {
        throw new RpcTimeoutException("the tensors of a message did not arrive in time");
      }
    }
  }
}
