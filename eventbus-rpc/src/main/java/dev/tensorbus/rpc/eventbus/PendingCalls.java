// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.wire.Frame;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The calls that this worker has sent and that nobody has answered. Each ends once: by its
/// answer, at its deadline, or because its worker left. Vert.x itself would let it wait.
final class PendingCalls {
  private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
  private final AtomicLong counter = new AtomicLong();
  private final List<Promise<Void>> waitingForNone = new ArrayList<>();

  // Waking the clock's thread for each call would cost more than the call; it wakes only when a new
  // deadline is the earliest, which with one common timeout is rare.
  private final ScheduledThreadPoolExecutor clock;

  private final String worker;

  PendingCalls(String worker) {
    this.worker = worker;
    clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("tensorbus-clock-" + worker).factory());
    clock.setRemoveOnCancelPolicy(true);
  }

  /// A call that waits. Holds the call, and so its arguments: references among them stay alive
  /// until the other worker has confirmed its own.
  ///
  /// @param id its number
  /// @param call what was asked
  /// @param to who was asked
  /// @param keep what must stay alive until the answer, beside the arguments
  /// @param answer completed with the answer
  record Pending(long id, Call<?> call, Member to, @Nullable Object keep, Promise<Frame> answer) {}

  /// Notes a call; it fails by itself when its time is up.
  Pending add(Call<?> call, Member to, @Nullable Object keep, Duration timeout) {
    if (clock.isShutdown()) {
      throw new IllegalStateException(
          worker + " has left the world, so it cannot call " + call.function());
    }
    Pending one = new Pending(counter.incrementAndGet(), call, to, keep, Promise.promise());
    pending.put(one.id(), one);
    ScheduledFuture<?> alarm =
        clock.schedule(
            () -> fail(one.id(), timedOut(one, timeout)),
            Math.max(0, timeout.toNanos()),
            TimeUnit.NANOSECONDS);
    one.answer().future().onComplete(done -> alarm.cancel(false));
    return one;
  }

  private static RpcException timedOut(Pending call, Duration timeout) {
    return new RpcTimeoutException(
        call.to().info().name(), call.call().function().toString(), timeout);
  }

  /// Ends a call with its answer; an answer that nobody waits for is dropped.
  void answer(long id, Frame frame) {
    Pending call = remove(id);
    if (call != null) {
      call.answer().complete(frame);
    }
  }

  /// Ends a call with an error.
  void fail(long id, RpcException error) {
    Pending call = remove(id);
    if (call != null) {
      call.answer().fail(error);
    }
  }

  /// Ends every call for which `error` gives an error.
  void failEach(Function<Pending, @Nullable RpcException> error) {
    for (Pending call : List.copyOf(pending.values())) {
      RpcException cause = error.apply(call);
      if (cause != null) {
        fail(call.id(), cause);
      }
    }
  }

  private @Nullable Pending remove(long id) {
    Pending call = pending.remove(id);
    if (call != null && pending.isEmpty()) {
      announceNone();
    }
    return call;
  }

  private void announceNone() {
    List<Promise<Void>> waiting;
    synchronized (waitingForNone) {
      waiting = List.copyOf(waitingForNone);
      waitingForNone.clear();
    }
    waiting.forEach(Promise::complete);
  }

  /// Done when no call waits.
  Future<Void> none() {
    Promise<Void> none = Promise.promise();
    synchronized (waitingForNone) {
      waitingForNone.add(none);
    }
    if (pending.isEmpty()) {
      announceNone();
    }
    return none.future();
  }

  /// How many calls wait.
  int size() {
    return pending.size();
  }

  /// How many calls were ever noted.
  long sent() {
    return counter.get();
  }

  /// Ends the clock. Calls that still wait must have been failed before.
  void close() {
    clock.shutdownNow();
  }
}
