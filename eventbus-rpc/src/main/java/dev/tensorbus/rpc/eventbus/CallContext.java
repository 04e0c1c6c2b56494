// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.serving.ServedCall;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a remote call knows of itself while it runs.
///
/// @param rpc the worker that it runs on
/// @param call the call
public record CallContext(EventBusRpc rpc, ServedCall call) {
  private static final ScopedValue<CallContext> CURRENT = ScopedValue.newInstance();

  /// The call that this thread runs.
  ///
  /// @throws IllegalStateException if it runs none
  public static CallContext current() {
    CallContext current = around();
    if (current == null) {
      throw new IllegalStateException(
          "Rpc.current() is known only while a remote call runs; elsewhere keep the Rpc that"
              + " Rpc.init returned");
    }
    return current;
  }

  static @Nullable CallContext around() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /// Who asked for it.
  public WorkerInfo caller() {
    return call.caller().info();
  }

  /// When the caller stops waiting.
  public Instant deadline() {
    return Instant.now().plusNanos(call.remaining());
  }

  /// Whether the caller has given the call up, or has left.
  public boolean isCancelled() {
    return call.isCancelled();
  }

  void run(Runnable body) {
    ScopedValue.where(CURRENT, this).run(body);
  }

  /// Makes a call that the deadline of the call around it does not bound.
  static <R> R outside(Supplier<R> call) {
    return in(null, call);
  }

  /// Runs `body` as a part of this call, or of none.
  @SuppressWarnings("NullAway") // a scoped value may be null
  static <R> R in(@Nullable CallContext call, Supplier<R> body) {
    return ScopedValue.where(CURRENT, call).call(body::get);
  }

  /// The time that a call made from here has: its own limit, or what is left of the call around
  /// it (G6).
  static Duration bound(Duration limit) {
    CallContext around = around();
    if (around == null) {
      return limit;
    }
    Duration left = Duration.ofNanos(Math.max(0, around.call.remaining()));
    return left.compareTo(limit) < 0 ? left : limit;
  }
}
