// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.pending;

import dev.tensorbus.rpc.wire.Frame;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The calls that this worker has sent and that nobody has answered. Each ends once: by its
/// answer, at its deadline, because it is given up, or because its worker left (G5). Vert.x
/// itself would let it wait.
public final class PendingCalls {
  private final Map<Long, Outbound<?>> pending = new ConcurrentHashMap<>();
  private final AtomicLong numbered = new AtomicLong();
  private final AtomicLong noted = new AtomicLong();
  private final AtomicInteger searches = new AtomicInteger();
  private final List<Promise<Void>> waitingForNone = new ArrayList<>();
  private final Clock clock;
  private final String worker;

  public PendingCalls(String worker, Clock clock) {
    this.worker = worker;
    this.clock = clock;
  }

  /// Notes a call and numbers it; it fails by itself when its time is up.
  ///
  /// @throws IllegalStateException if the worker has left
  public void add(Outbound<?> call) {
    requireOpen(call);
    call.number(numbered.incrementAndGet());
    pending.put(call.number(), call);
    noted.incrementAndGet();
    // Who stops the clock fails what it finds afterwards, maybe before this one was there.
    if (clock.isStopped() && remove(call.number()) != null) {
      throw left(call);
    }
    ScheduledFuture<?> alarm =
        clock.alarm(call.remaining(), () -> fail(call.number(), call.timedOut()));
    call.answer().future().onComplete(done -> Clock.cancel(alarm));
  }

  /// Sends a call once its worker is found. Until then it waits, though it has no number.
  public <W, R> Future<R> afterSearch(Future<W> search, Function<W, Future<R>> send) {
    searches.incrementAndGet();
    return search.transform(
        found -> {
          try {
            return found.succeeded() ? send.apply(found.result()) : search.mapEmpty();
          } finally {
            searches.decrementAndGet();
            announceIfNone();
          }
        });
  }

  /// Checks that calls can still be made.
  ///
  /// @throws IllegalStateException if the worker has left
  public void requireOpen(Outbound<?> call) {
    if (clock.isStopped()) {
      throw left(call);
    }
  }

  private IllegalStateException left(Outbound<?> call) {
    return new IllegalStateException(
        worker + " has left the world, so it cannot call " + call.function());
  }

  /// The call of this number, or null if it has ended.
  public @Nullable Outbound<?> get(long number) {
    return pending.get(number);
  }

  /// The call whose result this future shows, or null if it has ended.
  public @Nullable Outbound<?> of(Future<?> shown) {
    return pending.values().stream().filter(call -> call.isShownBy(shown)).findFirst().orElse(null);
  }

  /// Ends a call with its answer.
  public void answer(long number, Frame frame) {
    Outbound<?> call = remove(number);
    if (call != null) {
      call.answer().complete(frame);
    }
  }

  /// Ends a call with an error; whether it had not ended before.
  public boolean fail(long number, RuntimeException error) {
    Outbound<?> call = remove(number);
    if (call != null) {
      call.answer().fail(error);
    }
    return call != null;
  }

  /// Ends every call for which `error` gives an error.
  public void failEach(Function<Outbound<?>, @Nullable RuntimeException> error) {
    for (Outbound<?> call : List.copyOf(pending.values())) {
      RuntimeException cause = error.apply(call);
      if (cause != null) {
        fail(call.number(), cause);
      }
    }
  }

  private @Nullable Outbound<?> remove(long number) {
    Outbound<?> call = pending.remove(number);
    if (call != null) {
      announceIfNone();
    }
    return call;
  }

  /// In this order: what a search was for is noted before the search ends.
  private boolean noneWaits() {
    return pending.isEmpty() && searches.get() == 0;
  }

  private void announceIfNone() {
    if (!noneWaits()) {
      return;
    }
    List<Promise<Void>> waiting;
    synchronized (waitingForNone) {
      waiting = List.copyOf(waitingForNone);
      waitingForNone.clear();
    }
    waiting.forEach(Promise::complete);
  }

  /// Done when no call waits.
  public Future<Void> none() {
    Promise<Void> none = Promise.promise();
    synchronized (waitingForNone) {
      waitingForNone.add(none);
    }
    announceIfNone();
    return none.future();
  }

  /// How many calls wait.
  public int size() {
    return pending.size() + searches.get();
  }

  /// How many calls were ever sent, if there is a moment during this method at which none of them
  /// waits.
  public OptionalLong sentIfNoneWaits() {
    long before = noted.get();
    // Equal only if all that had a number by the end had been in the map since the beginning.
    boolean none = noneWaits() && numbered.get() == before;
    return none ? OptionalLong.of(before) : OptionalLong.empty();
  }
}
