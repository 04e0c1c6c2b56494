// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The calls from other workers to this one. No call runs twice (G4), and the number of concurrent
/// calls is limited (G14). Further calls are queued in order of arrival.
public final class IncomingCalls {
  /// How long after a call's deadline this worker cancels the call itself, in case the caller's
  /// cancel message is lost.
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final int MOST_WAITING = 65_536;

  /// The maximum total size of the queued calls, in bytes. Large tensors do not count, since they
  /// stay on the caller.
  private static final long MOST_WAITING_BYTES = Runtime.getRuntime().maxMemory() / 8;

  private final int most;
  private final Predicate<Sender> isGone;
  private final Map<Sender, CallerSession> conversations = new HashMap<>();
  private final SequencedSet<IncomingCall> waiting = new LinkedHashSet<>();
  private long waitingBytes;
  private int running;

  /// Creates an empty table.
  ///
  /// @param most the maximum number of concurrent calls
  /// @param isGone whether an incarnation of a worker has ended; must already return true when
  ///     [#workerLost] is called for that incarnation
  public IncomingCalls(int most, Predicate<Sender> isGone) {
    this.most = most;
    this.isGone = isGone;
  }

  /// The decision on a call that has arrived.
  public enum Admission {
    /// Run the call.
    RUN,
    /// All slots are taken: the call is queued, and started or dropped later.
    WAIT,
    /// Answer that this worker is busy.
    BUSY,
    /// The caller has been declared lost: notify it.
    GONE,
    /// The call has arrived before: acknowledge it if it may be repeated.
    KNOWN,
    /// The call has run, but its answer is no longer kept.
    FORGOTTEN,
    /// The call has run: repeat its answer.
    ANSWERED
  }

  /// Returns the session of a caller, creating it if necessary. Returns null if the caller is gone:
  /// nothing would remove a session created after [#workerLost].
  private @Nullable CallerSession with(Sender caller) {
    CallerSession known = conversations.get(caller);
    if (known == null && !isGone.test(caller)) {
      known = new CallerSession();
      conversations.put(caller, known);
    }
    return known;
  }

  /// Decides on a call. Control calls are neither counted nor queued, because running calls may
  /// wait for them. The calls of one caller must be passed in order of arrival.
  public synchronized Admission admit(IncomingCall call) {
    CallerSession conversation = with(call.caller());
    if (conversation == null) {
      return Admission.GONE;
    }
    Admission known = conversation.known(call.head());
    if (known != null) {
      return known;
    }
    if (call.isControl()) {
      conversation.open(call);
      return Admission.RUN;
    }
    if (running < most) {
      conversation.open(call); // first, since memory may run out
      call.takeSlot();
      running++;
      return Admission.RUN;
    }
    if (call.head().failsWhenBusy() || !hasRoomToWait(call)) {
      return Admission.BUSY;
    }
    conversation.open(call);
    try {
      waiting.add(call);
    } catch (Error e) { // for example, memory ran out
      conversation.close(call, null);
      throw e;
    }
    waitingBytes += call.bytes();
    return Admission.WAIT;
  }

  /// Returns whether a call may be queued. If the queue is empty, a call of any size may be queued.
  private boolean hasRoomToWait(IncomingCall call) {
    return waiting.isEmpty()
        || (waiting.size() < MOST_WAITING && waitingBytes + call.bytes() <= MOST_WAITING_BYTES);
  }

  private boolean stopWaiting(IncomingCall call) {
    boolean waited = waiting.remove(call);
    waitingBytes -= waited ? call.bytes() : 0;
    return waited;
  }

  /// Returns the answer to a call, or null if it is not kept.
  public synchronized @Nullable Frame answerOf(Sender caller, long number) {
    CallerSession conversation = conversations.get(caller);
    return conversation == null ? null : conversation.answerOf(number);
  }

  /// Returns whether a call has arrived and is neither queued nor running.
  public synchronized boolean hasEnded(Sender caller, long number) {
    CallerSession conversation = conversations.get(caller);
    return conversation != null && conversation.hasEnded(number);
  }

  /// Starts an admitted call. If that fails, the call is over and its slot passes to a queued call.
  public void start(IncomingCall call) {
    for (IncomingCall next = call; next != null && !next.start(); ) {
      close(next, null);
      next = passSlotOn(next);
    }
  }

  /// Records that a call is over, and starts the call that was queued longest. Must be called once
  /// for each admitted call, whatever its outcome, and for each call rejected as busy.
  ///
  /// @param answer the answer to the caller, if any
  public void finish(IncomingCall call, @Nullable Frame answer) {
    try {
      close(call, answer);
    } finally {
      IncomingCall next = passSlotOn(call);
      if (next != null) {
        start(next);
      }
    }
  }

  private synchronized void close(IncomingCall call, @Nullable Frame answer) {
    CallerSession conversation = conversations.get(call.caller());
    if (conversation != null) {
      conversation.close(call, answer);
    }
  }

  /// Releases the call's slot. Returns the queued call that gets the slot, or null.
  private synchronized @Nullable IncomingCall passSlotOn(IncomingCall call) {
    if (!call.releaseSlot()) {
      return null;
    }
    if (waiting.isEmpty()) {
      running--;
      return null;
    }
    IncomingCall next = waiting.getFirst();
    stopWaiting(next);
    next.takeSlot();
    return next;
  }

  /// Cancels a call. A running call is interrupted; a call that is queued or has yet to arrive
  /// never runs.
  public void cancel(Sender caller, long number) {
    IncomingCall call;
    synchronized (this) {
      CallerSession conversation = with(caller);
      call = conversation == null ? null : conversation.cancel(number);
    }
    if (call != null) {
      cancel(call);
    }
  }

  private void cancel(IncomingCall call) {
    boolean waited;
    synchronized (this) {
      waited = stopWaiting(call);
      CallerSession conversation = conversations.get(call.caller());
      if (waited && conversation != null) {
        conversation.close(call, null);
      }
    }
    if (waited) {
      call.work().drop();
    } else {
      call.cancel();
    }
  }

  /// Cancels the calls of a worker that has left. A running call keeps its slot until it ends.
  public void workerLost(Sender caller) {
    List<IncomingCall> calls;
    synchronized (this) {
      CallerSession conversation = conversations.remove(caller);
      calls = conversation == null ? List.of() : List.copyOf(conversation.open());
    }
    calls.forEach(this::cancel);
  }

  /// Adds the callers of the queued and running calls to `callers`.
  public synchronized void callers(Set<Sender> callers) {
    conversations.forEach(
        (caller, conversation) -> {
          if (!conversation.open().isEmpty()) {
            callers.add(caller);
          }
        });
  }

  /// Cancels calls that are still queued or running after their deadline.
  public void cancelOverdue() {
    List<IncomingCall> overdue = new ArrayList<>();
    synchronized (this) {
      conversations.values().stream()
          .map(CallerSession::open)
          .flatMap(Collection::stream)
          .filter(call -> call.remaining() < -GRACE_NANOS)
          .forEach(overdue::add);
    }
    overdue.forEach(this::cancel);
  }

  /// Cancels all calls.
  public void cancelAll() {
    List<Sender> callers;
    synchronized (this) {
      callers = List.copyOf(conversations.keySet());
    }
    callers.forEach(this::workerLost);
  }

  /// Returns the number of running calls, excluding control calls.
  public synchronized int running() {
    return running;
  }

  /// Returns the number of queued calls.
  public synchronized int waiting() {
    return waiting.size();
  }

  /// Returns the running calls, including control calls.
  public synchronized List<IncomingCall> runningCalls() {
    return conversations.values().stream()
        .flatMap(conversation -> conversation.open().stream())
        .filter(call -> !waiting.contains(call))
        .toList();
  }

  /// Returns the queued calls, in order of arrival.
  public synchronized List<IncomingCall> waitingCalls() {
    return List.copyOf(waiting);
  }

  /// Returns the number of callers with a session.
  synchronized int callers() {
    return conversations.size();
  }

  /// Returns a description of the load: running calls, their maximum, and queued calls.
  public synchronized String load() {
    String runs = "it runs " + running + " of at most " + most + " calls";
    return waiting.isEmpty() ? runs : runs + ", with " + waiting.size() + " queued";
  }
}
