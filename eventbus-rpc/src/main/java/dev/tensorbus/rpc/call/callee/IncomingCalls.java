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

/// The calls of other workers to this one: none runs twice (G4), and no more run concurrently than
/// it admits (G14). Further calls are queued here, in order of arrival.
public final class IncomingCalls {
  /// How long after its deadline a call is cancelled by this worker, in case the caller's cancel is
  /// lost.
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final int MOST_WAITING = 65_536;

  /// Does not include large tensors, which stay with the caller.
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
  /// @param isGone whether an incarnation of a worker has ended; [#workerLost] is called after that
  public IncomingCalls(int most, Predicate<Sender> isGone) {
    this.most = most;
    this.isGone = isGone;
  }

  /// The decision on a call that has arrived.
  public enum Admission {
    /// Run it.
    RUN,
    /// All slots are taken: its work is started later, or dropped.
    WAIT,
    /// Answer that there is no capacity.
    BUSY,
    /// The caller is gone: tell it so.
    GONE,
    /// It is queued or runs already, or is over for its caller: do nothing.
    KNOWN,
    /// It has run, and its answer is no longer kept.
    FORGOTTEN,
    /// Repeat its answer.
    ANSWERED
  }

  /// A worker that is gone gets no new session: [#workerLost] has run for it, or waits for this.
  private @Nullable CallerSession with(Sender caller) {
    CallerSession known = conversations.get(caller);
    if (known == null && !isGone.test(caller)) {
      known = new CallerSession();
      conversations.put(caller, known);
    }
    return known;
  }

  /// Decides on a call. Control calls are neither counted nor queued: calls that run may wait for
  /// them. Must be called in the order in which each caller's calls arrived.
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
    } catch (Error e) { // memory ran out
      conversation.close(call, null);
      throw e;
    }
    waitingBytes += call.bytes();
    return Admission.WAIT;
  }

  /// One call may always be queued, however large it is.
  private boolean hasRoomToWait(IncomingCall call) {
    return waiting.isEmpty()
        || (waiting.size() < MOST_WAITING && waitingBytes + call.bytes() <= MOST_WAITING_BYTES);
  }

  private boolean stopWaiting(IncomingCall call) {
    boolean waited = waiting.remove(call);
    waitingBytes -= waited ? call.bytes() : 0;
    return waited;
  }

  /// Returns the answer that was given to a call, if it is still kept.
  public synchronized @Nullable Frame answerOf(Sender caller, long number) {
    CallerSession conversation = conversations.get(caller);
    return conversation == null ? null : conversation.answerOf(number);
  }

  /// Returns whether a call has arrived and is neither queued nor running.
  public synchronized boolean hasEnded(Sender caller, long number) {
    CallerSession conversation = conversations.get(caller);
    return conversation != null && conversation.hasEnded(number);
  }

  /// Starts a call that was admitted. If that fails, the call is over.
  public void start(IncomingCall call) {
    for (IncomingCall next = call; next != null && !next.start(); ) {
      close(next, null);
      next = passSlotOn(next);
    }
  }

  /// Records that a call is over, and starts the one that was queued longest. Must be called once
  /// for each call that was admitted, whatever happened to it, or rejected.
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

  /// Returns the call that gets the slot of this one, or null.
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

  /// Cancels a call: interrupts it if it runs, and never runs it if it is queued or has yet to
  /// arrive.
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

  /// Adds the callers of the calls that are queued or run.
  public synchronized void callers(Set<Sender> callers) {
    conversations.forEach(
        (caller, conversation) -> {
          if (!conversation.open().isEmpty()) {
            callers.add(caller);
          }
        });
  }

  /// Cancels calls that are queued or run past their deadline.
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

  /// Returns the number of running calls, without control calls.
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

  /// Says how many calls run, of how many, and how many are queued.
  public synchronized String load() {
    String runs = "it runs " + running + " calls of at most " + most;
    return waiting.isEmpty() ? runs : runs + ", and " + waiting.size() + " wait";
  }
}
