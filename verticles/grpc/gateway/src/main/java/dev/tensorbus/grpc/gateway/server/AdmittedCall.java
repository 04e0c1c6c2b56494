// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import dev.tensorbus.grpc.gateway.server.GatewayOptions.Limits;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.grpc.gateway.wire.TensorReader;
import java.time.Duration;
import java.util.function.Consumer;

/// A call admitted by an [Admission]. Thread-safe.
public final class AdmittedCall implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Limits limits;
  private final DynamicThresholds.Peer peer;
  private final DynamicThresholds calls;
  private final DynamicThresholds bytes;
  private final SilentCalls silent;
  private final Runnable onClosed;
  private volatile Consumer<GrpcStatusException> onEvicted = refusal -> {};

  // Guarded by this.
  private long held;
  private boolean isClosed;

  /// @param onClosed runs when the call is closed
  AdmittedCall(
      Limits limits,
      DynamicThresholds.Peer peer,
      DynamicThresholds calls,
      DynamicThresholds bytes,
      SilentCalls silent,
      Runnable onClosed) {
    this.limits = limits;
    this.peer = peer;
    this.calls = calls;
    this.bytes = bytes;
    this.silent = silent;
    this.onClosed = onClosed;
  }

  DynamicThresholds.Peer peer() {
    return peer;
  }

  /// Sets the handler that runs if this call is evicted; see [SilentCalls].
  void onEvicted(Consumer<GrpcStatusException> handler) {
    onEvicted = handler;
  }

  /// Releases all resources and fails the call.
  void evict(GrpcStatusException refusal) {
    close();
    onEvicted.accept(refusal);
  }

  /// Records that the caller has sent data.
  void hear() {
    silent.hear(this);
  }

  /// Records that the caller has half-closed.
  void hearEnd() {
    silent.remove(this);
  }

  /// Returns the limits of the call.
  public Limits limits() {
    return limits;
  }

  /// Returns a reader for tensors of this call.
  public TensorReader tensors() {
    return new TensorReader(limits.tensorBytes(), this::hold);
  }

  /// Reserves `amount` bytes until the call ends; a negative amount releases bytes. Does nothing
  /// after the call has ended.
  ///
  /// @throws GrpcStatusException if the memory is not available
  public synchronized void hold(long amount) {
    if (isClosed) {
      return;
    }
    if (amount <= 0) {
      bytes.give(peer, -amount);
    } else if (!bytes.take(peer, amount)) {
      throw new GrpcStatusException(
              Reason.NO_MEMORY,
              ("no memory for %d more bytes; all calls share %d (--grpc-memory), and a connection"
                      + " may hold at most as many as remain free")
                  .formatted(amount, bytes.total()))
          .withRetryAfter(PAUSE);
    }
    held += amount;
  }

  /// Releases all resources.
  @Override
  public void close() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      bytes.give(peer, held);
      calls.give(peer, 1);
    }
    silent.remove(this);
    onClosed.run();
  }
}
