// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.thread.time.Deadline;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The context of a call from another worker: the caller, the deadline, and the worker that runs
/// the call. While the method runs, [#current] returns the context on its thread.
public final class CallContext {
  private static final ScopedValue<CallContext> CURRENT = ScopedValue.newInstance();

  private final WorkerParts parts;
  private final Request.Head head;
  private final Clock clock;
  private final Deadline deadline;
  private volatile boolean isCancelled;

  /// Creates the context of a call that has just arrived.
  ///
  /// @param parts the components of the worker that runs the call
  /// @param clock the worker's clock
  public CallContext(WorkerParts parts, Request.Head head, Clock clock) {
    this.parts = parts;
    this.head = head;
    this.clock = clock;
    deadline = Deadline.afterNanos(head.remainingNanos(), clock);
  }

  /// Returns the context of the call that this thread runs.
  ///
  /// @throws IllegalStateException if this thread runs no call
  public static CallContext current() {
    CallContext current = around();
    if (current == null) {
      throw new IllegalStateException(
          "Rpc.current() is available only while a remote call runs; elsewhere use the Rpc that"
              + " Rpc.init returned");
    }
    return current;
  }

  public static @Nullable CallContext around() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /// Looks up a component of the worker that runs the current remote call. Handlers of control
  /// calls find their components this way.
  ///
  /// @throws IllegalStateException if this thread does not run a remote call
  public static <T> T part(Class<T> type) {
    return current().parts.get(type);
  }

  /// Returns the worker that the call runs on.
  public Rpc rpc() {
    return parts.get(Rpc.class);
  }

  /// Returns the head of the call's request.
  public Request.Head head() {
    return head;
  }

  /// Returns the incarnation of the caller.
  public Sender sender() {
    return head.from();
  }

  /// Returns the worker that made the call.
  public WorkerInfo caller() {
    return sender().info();
  }

  /// Returns the time until the caller's deadline, in nanoseconds.
  public long remaining() {
    return deadline.nanosLeft();
  }

  /// Returns the time at which the caller stops waiting.
  public Instant deadline() {
    return clock.instant().plusNanos(remaining());
  }

  /// Returns whether the call was cancelled: by the caller, at its deadline, or because the caller
  /// or this worker has left.
  public boolean isCancelled() {
    return isCancelled;
  }

  /// Marks the call as cancelled.
  public void cancel() {
    isCancelled = true;
  }

  /// Runs `body` within a call, or outside any call if `call` is null.
  @SuppressWarnings("NullAway") // a scoped value may be null
  public static void runIn(@Nullable CallContext call, Runnable body) {
    ScopedValue.where(CURRENT, call).run(body);
  }

  /// Runs `body` within a call, or outside any call if `call` is null.
  @SuppressWarnings("NullAway") // a scoped value may be null
  public static <R> R in(@Nullable CallContext call, Supplier<R> body) {
    return ScopedValue.where(CURRENT, call).call(body::get);
  }

  /// Returns the timeout of a call made on this thread: `limit`, or the remaining time of the
  /// surrounding call if that is shorter (G6).
  public static Duration bound(Duration limit) {
    CallContext around = around();
    if (around == null) {
      return limit;
    }
    Duration left = Duration.ofNanos(Math.max(0, around.remaining()));
    return left.compareTo(limit) < 0 ? left : limit;
  }
}
