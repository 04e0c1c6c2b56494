// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import dev.tensorbus.rpc.lane.LaneFiles.Offered;
import io.vertx.core.Context;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// What this worker has offered another: to send it tensors through a file. Settled once, by the
/// other's word.
final class Offer {
  private static final System.Logger LOG = System.getLogger(Offer.class.getName());
  private static final long PATIENCE_MILLIS = 1000;

  private final String peer;
  private final long token;
  private final CompletableFuture<Optional<SlotWriter>> outcome = new CompletableFuture<>();
  private @Nullable Offered file;
  private boolean isSettled;

  /// Nobody waits for the other's word twice.
  private volatile boolean isLate;

  /// @param peer whom it is for
  Offer(String peer, long token) {
    this.peer = peer;
    this.token = token;
  }

  /// Makes the file and tells the other of it, as `tell` does. Does not wait.
  void make(LaneFiles files, BiConsumer<Long, String> tell) {
    Thread.ofVirtual()
        .name("tensorbus-lane-offer")
        .start(
            () -> {
              try {
                Offered made = files.create(token);
                keep(made);
                tell.accept(token, made.path().toString());
              } catch (IOException | RuntimeException e) {
                refused("cannot make a file: " + e);
              }
            });
  }

  private synchronized void keep(Offered made) {
    file = made;
  }

  /// The way through shared memory, or null if there is none yet. Waits a moment for it, but
  /// never on an event loop.
  @Nullable SlotWriter writer() {
    if (isLate || outcome.isDone() || Context.isOnEventLoopThread()) {
      return settled();
    }
    try {
      return outcome.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS).orElse(null);
    } catch (TimeoutException e) {
      isLate = true;
      LOG.log(Level.DEBUG, "{0} has not answered an offer of shared memory yet", peer);
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /// The other has the file of this token open.
  synchronized void accepted(long number) {
    if (number == token && file != null && !isSettled) {
      isSettled = true;
      file.unlink();
      LOG.log(Level.DEBUG, "tensors for {0} go through shared memory", peer);
      outcome.complete(Optional.of(new SlotWriter(file.slots())));
    }
  }

  /// There is no way through shared memory.
  synchronized void refused(String reason) {
    if (!isSettled) {
      isSettled = true;
      LOG.log(Level.DEBUG, "tensors for {0} go on the event bus: {1}", peer, reason);
      if (file != null) {
        file.unlink();
        file.slots().close();
      }
      outcome.complete(Optional.empty());
    }
  }

  /// The writer if there is one now.
  @Nullable SlotWriter settled() {
    return outcome.getNow(Optional.empty()).orElse(null);
  }

  /// Whether the event bus is used instead.
  boolean isRefused() {
    return outcome.isDone() && settled() == null;
  }

  void close() {
    refused("it is gone");
    SlotWriter writer = settled();
    if (writer != null) {
      writer.close();
    }
  }
}
