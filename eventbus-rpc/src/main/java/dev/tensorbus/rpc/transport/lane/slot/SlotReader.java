// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane.slot;

import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.thread.execution.PlatformThreads;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.idle.IdleStrategy;
import dev.tensorbus.rpc.thread.idle.YieldPolicy;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.WireTensor;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/// The receiving side of a lane. The thread that needs the tensors of a message reads them from the
/// slots; the order of messages does not matter.
public final class SlotReader implements AutoCloseable {
  /// How long to wait for a transfer before requesting it from its sender.
  private static final long UNHURRIED = TimeUnit.MILLISECONDS.toNanos(2);

  /// From this size, in bytes, the time to start another thread is negligible. For 16 MiB, it was
  /// 0.36 ms of 3.6 ms.
  private static final long LARGE = 32 << 20;

  private static final long REMINDER = TimeUnit.MILLISECONDS.toNanos(200);

  /// A transfer fails if its next chunk does not arrive for this long.
  private static final long SILENCE = TimeUnit.SECONDS.toNanos(30);

  private final Slots.In slots;
  private final LongConsumer want;
  private final IdleStrategies strategies;
  private final int mostKib;

  /// Permits for the heap that incoming transfers may occupy, one for each KiB. A transfer larger
  /// than the total is received alone.
  private final Semaphore room;

  private volatile boolean isClosed;

  /// @param want requests the transfer with the given id from the sender
  /// @param mostBytes the maximum heap that incoming transfers may occupy
  public SlotReader(Slots.In slots, LongConsumer want, long mostBytes, IdleStrategies strategies) {
    this.slots = slots;
    this.strategies = strategies;
    this.want = want;
    this.mostKib = Math.clamp(mostBytes >> 10, 1, Integer.MAX_VALUE);
    this.room = new Semaphore(mostKib, true);
  }

  /// Fetches the tensors of a message. Blocks until all have arrived, for `nanos` at most.
  /// Allocates memory only after the first chunk has arrived.
  ///
  /// @throws RpcTimeoutException if they do not arrive in time
  /// @throws WireException if the transfer is impossible, incomplete, or cancelled by its sender
  /// @throws IllegalStateException if the lane is closed
  public List<WireTensor> fetch(Payload payload, long nanos) {
    long bytes = payload.tensorBytes();
    if (!Slots.canTag(payload.transferId(), bytes)) {
      throw new WireException(
          "no transfer has id " + payload.transferId() + " and " + bytes + " bytes", null);
    }
    Deadline deadline = Deadline.afterNanos(nanos, strategies.clock());
    awaitFirst(payload.transferId(), deadline);
    int kib = (int) Math.min(mostKib, 1 + (bytes >> 10));
    acquireRoom(kib, deadline);
    try {
      return bytes < LARGE
          ? receive(payload, bytes, deadline)
          : PlatformThreads.call("tensorbus-lane", () -> receive(payload, bytes, deadline));
    } finally {
      room.release(kib);
    }
  }

  private void awaitFirst(long transferId, Deadline deadline) {
    try (IdleStrategy idle = slots.idleStrategy(transferId, strategies)) {
      new Arrival(transferId, deadline, idle).await(0);
    }
  }

  private void acquireRoom(int kib, Deadline deadline) {
    try {
      if (!room.tryAcquire(kib, deadline.nanosLeft(), TimeUnit.NANOSECONDS)) {
        throw new RpcTimeoutException("no memory was available in time for a message's tensors");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted while waiting for memory for tensors");
    }
  }

  private List<WireTensor> receive(Payload payload, long bytes, Deadline deadline) {
    try (IdleStrategy idle = slots.idleStrategy(payload.transferId(), strategies)) {
      Arrival arrival = new Arrival(payload.transferId(), deadline, idle);
      GatherBuffer buffer = GatherBuffer.roomFor(payload.tensors());
      slots.deliver(payload.transferId(), buffer);
      for (long chunk = 0; chunk < Slots.chunks(bytes); chunk++) {
        arrival.take(chunk, buffer);
      }
      return buffer.fill(payload.tensors());
    }
  }

  /// Closes the lane; threads that wait for tensors get an [IllegalStateException].
  @Override
  public void close() {
    isClosed = true;
    slots.close();
  }

  /// A transfer being received.
  private final class Arrival {
    private final long transferId;
    private final Deadline deadline;
    private final IdleStrategy idle;
    private final YieldPolicy yields = strategies.forCopying();

    /// The slot of the last chunk; the next chunk is probably nearby.
    private int slot;

    private Arrival(long transferId, Deadline deadline, IdleStrategy idle) {
      this.transferId = transferId;
      this.deadline = deadline;
      this.idle = idle;
    }

    private void take(long chunk, GatherBuffer buffer) {
      await(chunk);
      long tag = Slots.tag(transferId, chunk);
      if (slots.isDelivered(tag)) {
        return;
      }
      int bytes = slots.take(slot, tag);
      if (bytes < 0) {
        throw new WireException("transfer " + transferId + " was cancelled by its sender", null);
      }
      try {
        requireWhole(chunk, bytes, buffer.length(chunk));
        buffer.write(chunk, slots.slot(slot));
      } finally {
        slots.free(slot);
      }
      yields.yieldIfDue();
    }

    private void requireWhole(long chunk, int given, int expected) {
      if (given < expected) {
        throw new WireException(
            "chunk %d of transfer %d has only %d of %d bytes"
                .formatted(chunk, transferId, given, expected),
            null);
      }
    }

    /// Waits until a chunk is in a slot or in the arrays.
    private void await(long chunk) {
      long tag = Slots.tag(transferId, chunk);
      long start = strategies.clock().nanoTime();
      long reminder = start + UNHURRIED;
      idle.reset();
      while (!find(tag)) {
        idle.idle();
        long now = strategies.clock().nanoTime();
        requireHope(now, start);
        if (now - reminder > 0) {
          want.accept(transferId);
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
        throw new CancellationException("interrupted while waiting for tensors");
      }
      if (deadline.isOver() || now - start > SILENCE) {
        throw new RpcTimeoutException("the tensors of a message did not arrive in time");
      }
    }
  }
}
