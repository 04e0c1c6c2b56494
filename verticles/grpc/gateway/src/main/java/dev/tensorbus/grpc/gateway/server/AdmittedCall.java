// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import dev.tensorbus.grpc.gateway.server.GatewayOptions.Limits;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.Reason;
import dev.tensorbus.grpc.gateway.wire.TensorReader;
import java.time.Duration;
import java.util.function.Consumer;

/// One call's place in the [Admission]. Any thread may use it.
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

  /// @param onClosed runs when the place is given back
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

  /// Runs `handler` if this call, whose caller is silent, has to make room for another.
  void onEvicted(Consumer<GrpcStatusException> handler) {
    onEvicted = handler;
  }

  /// Gives all back and ends the call.
  void evict(GrpcStatusException refusal) {
    close();
    onEvicted.accept(refusal);
  }

  /// The caller has sent something.
  void hear() {
    silent.hear(this);
  }

  /// The caller has sent all.
  void hearEnd() {
    silent.remove(this);
  }

  /// The limits of the call.
  public Limits limits() {
    return limits;
  }

  /// Puts together tensors of this call.
  public TensorReader tensors() {
    return new TensorReader(limits.tensorBytes(), this::hold);
  }

  /// Holds so many bytes more, or fewer if it is negative, until the call ends.
  ///
  /// @throws GrpcStatusException if others need them
  public synchronized void hold(long amount) {
    if (isClosed) {
      return;
    }
    if (amount <= 0) {
      bytes.give(peer, -amount);
    } else if (!bytes.take(peer, amount)) {
      throw new GrpcStatusException(
              Reason.NO_MEMORY,
              ("no memory for %d bytes more; all calls hold at most %d together (--grpc-memory),"
                      + " and a connection as many as are left for others")
                  .formatted(amount, bytes.total()))
          .withRetryAfter(PAUSE);
    }
    held += amount;
  }

  /// Gives all back.
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
