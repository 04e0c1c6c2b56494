// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.transport.lane;

import dev.tensorbus.rpc.Lane;
import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.transport.lane.memory.LaneFiles;
import dev.tensorbus.rpc.transport.lane.memory.LaneFiles.Offered;
import dev.tensorbus.rpc.transport.lane.slot.SlotWriter;
import dev.tensorbus.rpc.transport.lane.slot.Slots;
import dev.tensorbus.rpc.transport.lane.socket.SocketOutbox;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// This worker's offer to send tensors to a peer through a shared file or, if the peer cannot open
/// the file, through a connection. The offer is settled when the peer accepts or refuses it.
final class LaneHandshake {
  private static final System.Logger LOG = System.getLogger(LaneHandshake.class.getName());

  /// How long messages wait for the answer, counted from the offer.
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

  /// The same for large messages. On the event bus, one of them would delay all other messages for
  /// seconds, including the answer.
  private static final long PATIENCE_IF_LARGE = TimeUnit.SECONDS.toNanos(10);

  /// From this size, in bytes, the event bus's copying time grows with the square of the size.
  private static final long LARGE = 4 << 20;

  private final String peer;
  private final long token;
  private final LongSupplier transferIds;
  private final IdleStrategies strategies;
  private final long made;
  private final CompletableFuture<Optional<SlotWriter>> outcome = new CompletableFuture<>();
  private @Nullable Offered file;
  private @Nullable SocketOutbox outbox;
  private boolean isConnecting;
  private boolean isSettled;

  /// The lane that was agreed on, or null.
  private volatile @Nullable Lane lane;

  /// @param peer the name of the other worker
  /// @param transferIds generates the transfer ids of the writer
  LaneHandshake(String peer, long token, LongSupplier transferIds, IdleStrategies strategies) {
    this.peer = peer;
    this.token = token;
    this.transferIds = transferIds;
    this.strategies = strategies;
    made = strategies.clock().nanoTime();
  }

  long token() {
    return token;
  }

  /// Creates a file for the lane. Returns its path, or an empty string if it cannot be created.
  String makeFile(LaneFiles files) {
    try {
      Offered made = files.create(token);
      keep(made);
      return made.path().toString();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, () -> "cannot create a file for tensors to " + peer + ": " + e);
      return "";
    }
  }

  private synchronized void keep(Offered made) {
    if (isSettled) { // the peer has left
      discard(made);
    } else {
      file = made;
    }
  }

  private static void discard(Offered file) {
    file.unlink();
    file.slots().close();
  }

  /// Returns the writer of the lane, or null if there is none. Waits briefly for the peer's answer,
  /// longer if the payload is large, but never on an event loop.
  ///
  /// @param nanos the time left for the payload to arrive; half of it is reserved for sending
  @Nullable SlotWriter writer(long bytes, long nanos) {
    long patience =
        made + (bytes < LARGE ? PATIENCE : PATIENCE_IF_LARGE) - strategies.clock().nanoTime();
    if (patience <= 0 || outcome.isDone() || ExecutionPolicy.isEventLoop()) {
      return settled();
    }
    try {
      return outcome.get(Math.min(patience, nanos / 2), TimeUnit.NANOSECONDS).orElse(null);
    } catch (TimeoutException e) {
      LOG.log(Level.DEBUG, "{0} has not answered an offer of a lane yet", peer);
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /// Handles the peer's request for a connection instead of a file.
  ///
  /// @param open opens the connection; called at most once
  synchronized void connect(Consumer<LaneHandshake> open) {
    if (!isSettled && !isConnecting) {
      isConnecting = true;
      giveUpFile();
      open.accept(this);
    }
  }

  /// Records a connection that is open but not yet accepted by the peer. Returns whether it is
  /// still needed.
  synchronized boolean connected(SocketOutbox opened) {
    if (!isSettled) {
      outbox = opened;
    }
    return !isSettled;
  }

  /// Records that the peer has opened the file or accepted the connection.
  synchronized void accepted() {
    if (isSettled) {
      return;
    }
    if (outbox != null) {
      settle(Lane.SOCKET, outbox);
    } else if (file != null) {
      file.unlink();
      settle(Lane.SHARED_MEMORY, file.slots());
    }
  }

  private void settle(Lane found, Slots.Out slots) {
    isSettled = true;
    lane = found;
    LOG.log(Level.DEBUG, "tensors for {0} use the lane {1}", peer, found);
    outcome.complete(Optional.of(new SlotWriter(slots, transferIds, strategies)));
  }

  /// Records that only the event bus can be used.
  synchronized void refused(String reason) {
    if (!isSettled) {
      isSettled = true;
      LOG.log(Level.DEBUG, "tensors for {0} use the event bus: {1}", peer, reason);
      giveUpFile();
      if (outbox != null) {
        outbox.close();
      }
      outcome.complete(Optional.empty());
    }
  }

  private void giveUpFile() {
    if (file != null) {
      discard(file);
      file = null;
    }
  }

  /// Returns the writer, or null if the lane is not ready.
  @Nullable SlotWriter settled() {
    return outcome.getNow(Optional.empty()).orElse(null);
  }

  /// Returns whether `way` is the lane that was agreed on.
  boolean leadsTo(Lane way) {
    return lane == way;
  }

  /// Returns whether the event bus is used instead of a lane.
  boolean isRefused() {
    return outcome.isDone() && settled() == null;
  }

  void close() {
    refused("the lane was closed");
    SlotWriter writer = settled();
    if (writer != null) {
      writer.close();
    }
  }
}
