// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The calls of this worker that have not been answered. Each call ends exactly once: with its
/// answer, at its deadline, by cancellation, or because the callee left (G5).
public final class PendingCalls {
  /// Associations by incarnation of the callee.
  private final Map<Long, Association> associations = new ConcurrentHashMap<>();

  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong over = new AtomicLong();

  /// Calls whose callee is being looked up, each with a promise that fails if the lookup takes too
  /// long.
  private final Map<PendingCall<?>, Promise<?>> searches = new ConcurrentHashMap<>();

  private final List<Promise<Void>> waitingForNone = new ArrayList<>();
  private final Clock clock;
  private final String worker;
  private final Predicate<Sender> isGone;
  private final Runnable requireWorld;

  /// Creates an empty table.
  ///
  /// @param isGone whether an incarnation of a worker has ended; must already return true when
  ///     [#workerLost] is called for that incarnation
  /// @param requireWorld throws once this worker is out of its world; must already throw when
  ///     [#end] is called
  public PendingCalls(String worker, Clock clock, Predicate<Sender> isGone, Runnable requireWorld) {
    this.worker = worker;
    this.clock = clock;
    this.isGone = isGone;
    this.requireWorld = requireWorld;
  }

  /// Returns the clock that measures the timeouts of calls.
  Clock clock() {
    return clock;
  }

  /// Registers and numbers a call, and makes it fail at its deadline. Returns whether to send the
  /// call: a call to a worker that has left fails immediately.
  ///
  /// @throws IllegalStateException if this worker has left
  public boolean add(PendingCall<?> call) {
    requireOpen(call);
    if (!note(call)) {
      call.answer().fail(gone(call));
      return false;
    }
    // A thread that stops the clock or ends all calls fails only the calls that are registered at
    // that moment. This call may have been registered later, so check again.
    try {
      requireOpen(call);
      ScheduledFuture<?> alarm = clock.alarm(call.remaining(), () -> fail(call, call.timedOut()));
      call.answer().future().onComplete(done -> Clock.cancel(alarm));
    } catch (RuntimeException | Error e) {
      remove(call);
      throw e;
    }
    return true;
  }

  /// Registers a call. Returns false if the callee has left. The call is counted first, because it
  /// may end as soon as it is registered.
  private boolean note(PendingCall<?> call) {
    boolean isNoted = false;
    sent.incrementAndGet();
    try {
      Association association = association(call.to());
      isNoted = association != null && association.add(call);
    } finally {
      if (!isNoted) {
        ended();
      }
    }
    return isNoted;
  }

  /// Returns the association with a worker, creating it if necessary. Returns null if the worker is
  /// gone: nothing would end an association created after [#workerLost].
  private @Nullable Association association(Sender to) {
    Association known = associations.get(to.incarnation());
    return known != null
        ? known
        : associations.computeIfAbsent(
            to.incarnation(), key -> isGone.test(to) ? null : new Association(to));
  }

  private NoSuchWorkerException gone(PendingCall<?> call) {
    String name = call.to().info().name();
    return new NoSuchWorkerException(
        name, name + " left before " + worker + " called " + call.function(), false);
  }

  /// Sends a call once its callee is found. Until then the call is pending without a number, and
  /// fails at its deadline.
  public <W, R> Future<R> afterSearch(
      PendingCall<?> call, Future<W> search, Function<W, Future<R>> send) {
    Promise<W> found = Promise.promise();
    searches.put(call, found);
    try {
      requireOpen(call);
    } catch (RuntimeException e) { // endSearches may have missed this call
      found.tryFail(e);
    }
    ScheduledFuture<?> alarm = clock.alarm(call.remaining(), () -> found.tryFail(call.notFound()));
    search.onSuccess(found::tryComplete).onFailure(found::tryFail);
    return found
        .future()
        .transform(
            done -> {
              Clock.cancel(alarm);
              try {
                return done.succeeded() ? send.apply(done.result()) : found.future().mapEmpty();
              } finally {
                searches.remove(call);
                announceIfNone();
              }
            });
  }

  /// Fails the calls whose callee has not been found yet, because this worker has left.
  public void endSearches() {
    endSearches(this::left);
  }

  private void endSearches(Function<PendingCall<?>, RuntimeException> error) {
    searches.forEach((call, found) -> found.tryFail(error.apply(call)));
  }

  /// Checks that calls can still be made.
  ///
  /// @throws IllegalStateException if the worker has left
  /// @throws RpcException if the worker is out of its world
  public void requireOpen(PendingCall<?> call) {
    requireWorld.run();
    if (clock.isStopped()) {
      throw left(call);
    }
  }

  private IllegalStateException left(PendingCall<?> call) {
    return new IllegalStateException(
        worker + " has left the world, so it cannot call " + call.function());
  }

  /// Returns the call with this number to this incarnation of a worker, or null if it has ended.
  public @Nullable PendingCall<?> get(long incarnation, long number) {
    Association association = associations.get(incarnation);
    return association == null ? null : association.get(number);
  }

  /// Returns the call that returned this future, or null if the call has ended.
  public @Nullable PendingCall<?> of(Future<?> shown) {
    return all().filter(call -> call.isShownBy(shown)).findFirst().orElse(null);
  }

  private Stream<PendingCall<?>> all() {
    return associations.values().stream().map(Association::calls).flatMap(List::stream);
  }

  /// Returns the pending calls, including those whose callee is being looked up.
  public List<PendingCall<?>> waiting() {
    return Stream.concat(all(), searches.keySet().stream()).toList();
  }

  /// Returns the pending calls that their callees have acknowledged, by callee.
  public Map<Sender, List<PendingCall<?>>> acknowledged() {
    return all()
        .filter(PendingCall::isAcknowledged)
        .collect(Collectors.groupingBy(PendingCall::to));
  }

  /// Returns whether a call is pending.
  public boolean contains(PendingCall<?> call) {
    return get(call.to().incarnation(), call.number()) != null;
  }

  /// Ends a call with its answer.
  public void answer(PendingCall<?> call, Frame frame) {
    if (remove(call)) {
      call.answer().complete(frame);
    }
  }

  /// Ends a call with an error. Returns false if the call had already ended.
  public boolean fail(PendingCall<?> call, Throwable error) {
    boolean waited = remove(call);
    if (waited) {
      call.answer().fail(error);
    }
    return waited;
  }

  /// Fails all pending calls, because this worker is out of its world.
  ///
  /// @param error returns the error of a call, given whether its method may have run
  public void end(Function<Boolean, RpcException> error) {
    endSearches(call -> error.apply(false));
    failEach(call -> error.apply(true));
  }

  /// Adds the callees of the pending calls to `receivers`.
  public void receivers(Set<Sender> receivers) {
    associations.values().stream()
        .filter(Association::waits)
        .map(Association::peer)
        .forEach(receivers::add);
  }

  /// Fails every call for which `error` returns an error.
  public void failEach(Function<PendingCall<?>, @Nullable RuntimeException> error) {
    failEach(all().toList(), error);
  }

  private void failEach(
      List<PendingCall<?>> calls, Function<PendingCall<?>, @Nullable RuntimeException> error) {
    for (PendingCall<?> call : calls) {
      RuntimeException cause = error.apply(call);
      if (cause != null) {
        fail(call, cause);
      }
    }
  }

  /// Fails the calls to a departed worker with the errors that `error` returns.
  public void workerLost(Sender gone, Function<PendingCall<?>, @Nullable RuntimeException> error) {
    // compute waits for a thread that is just creating the association; get would not.
    Association association = associations.compute(gone.incarnation(), (key, known) -> known);
    if (association != null) {
      failEach(association.end(), error);
      associations.remove(gone.incarnation());
    }
  }

  private boolean remove(PendingCall<?> call) {
    if (call.number() == 0) { // its callee is still being looked up
      return false;
    }
    Association association = associations.get(call.to().incarnation());
    boolean waited = association != null && association.remove(call.number());
    if (waited) {
      ended();
    }
    return waited;
  }

  private void ended() {
    over.incrementAndGet();
    announceIfNone();
  }

  private void announceIfNone() {
    if (sentIfNoneWaits().isEmpty()) {
      return;
    }
    List<Promise<Void>> waiting;
    synchronized (waitingForNone) {
      waiting = List.copyOf(waitingForNone);
      waitingForNone.clear();
    }
    waiting.forEach(Promise::complete);
  }

  /// Returns a future that completes when no call is pending.
  public Future<Void> none() {
    Promise<Void> none = Promise.promise();
    synchronized (waitingForNone) {
      waitingForNone.add(none);
    }
    announceIfNone();
    return none.future();
  }

  /// Returns the number of pending calls.
  public int size() {
    long before = over.get();
    return (int) (sent.get() - before) + searches.size();
  }

  /// Returns the number of calls sent so far if no call was pending at some moment during this
  /// method, otherwise empty.
  public OptionalLong sentIfNoneWaits() {
    long before = over.get();
    // A call counts as sent before its lookup ends. If the counts are equal, all calls sent so far
    // had ended when the first count was read.
    boolean none = searches.isEmpty() && sent.get() == before;
    return none ? OptionalLong.of(before) : OptionalLong.empty();
  }
}
