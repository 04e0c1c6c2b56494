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

/// The calls that others ask of this worker: none runs twice (G4), and no more at a time than it
/// admits (G14). Calls that must wait do so here, in order of arrival.
public final class IncomingCalls {
  /// A call may be so much too late before its thread is told, should the caller's word be lost.
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private static final int MOST_WAITING = 65_536;

  /// Large tensors are not among them: they stay with the caller.
  private static final long MOST_WAITING_BYTES = Runtime.getRuntime().maxMemory() / 8;

  private final int most;
  private final Predicate<Sender> isGone;
  private final Map<Sender, CallerSession> conversations = new HashMap<>();
  private final SequencedSet<IncomingCall> waiting = new LinkedHashSet<>();
  private long waitingBytes;
  private int running;

  /// No calls yet.
  ///
  /// @param most how many calls to admit at a time
  /// @param isGone whether a life of a worker has ended; once so, [#workerLost] follows
  public IncomingCalls(int most, Predicate<Sender> isGone) {
    this.most = most;
    this.isGone = isGone;
  }

  /// The decision on a call that came.
  public enum Admission {
    /// Run it.
    RUN,
    /// There is no room yet: its work is started later, or dropped.
    WAIT,
    /// Tell the caller that there is no room.
    BUSY,
    /// The caller is gone: tell it so.
    GONE,
    /// It waits or runs already, or is over for its caller: do nothing.
    KNOWN,
    /// It has run, and its answer is no longer here.
    FORGOTTEN,
    /// Repeat its answer.
    ANSWERED
  }

  /// A worker that is gone gets none again: [#workerLost] has run for it, or waits for this.
  private @Nullable CallerSession with(Sender caller) {
    CallerSession known = conversations.get(caller);
    if (known == null && !isGone.test(caller)) {
      known = new CallerSession();
      conversations.put(caller, known);
    }
    return known;
  }

  /// Decides on a call. Our own control calls are neither counted nor do they wait: calls that run
  /// may wait for them. To be called for each caller's calls in the order in which they came.
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

  /// One may always wait, however large it is.
  private boolean hasRoomToWait(IncomingCall call) {
    return waiting.isEmpty()
        || (waiting.size() < MOST_WAITING && waitingBytes + call.bytes() <= MOST_WAITING_BYTES);
  }

  private boolean stopWaiting(IncomingCall call) {
    boolean waited = waiting.remove(call);
    waitingBytes -= waited ? call.bytes() : 0;
    return waited;
  }

  /// The answer that was given to a call, if it is still here.
  public synchronized @Nullable Frame answerOf(Sender caller, long number) {
    CallerSession conversation = conversations.get(caller);
    return conversation == null ? null : conversation.answerOf(number);
  }

  /// Whether a call has come and neither waits nor runs.
  public synchronized boolean hasEnded(Sender caller, long number) {
    CallerSession conversation = conversations.get(caller);
    return conversation != null && conversation.hasEnded(number);
  }

  /// Starts a call that was to run. If that fails, the call is over.
  public void start(IncomingCall call) {
    for (IncomingCall next = call; next != null && !next.start(); ) {
      close(next, null);
      next = passSlotOn(next);
    }
  }

  /// Notes that a call is over, and starts the one that has waited longest. To be called once for
  /// each call that was to run, whatever became of it, or was refused.
  ///
  /// @param answer what the caller was answered, if it was
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

  /// The call that gets the slot of this one, or null.
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

  /// Gives a call up: tells it if it runs, and never runs it if it waits or has yet to come.
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

  /// Gives up the calls of a worker that has left. A call that runs takes its place until it ends.
  public void workerLost(Sender caller) {
    List<IncomingCall> calls;
    synchronized (this) {
      CallerSession conversation = conversations.remove(caller);
      calls = conversation == null ? List.of() : List.copyOf(conversation.open());
    }
    calls.forEach(this::cancel);
  }

  /// Adds whose calls wait or run.
  public synchronized void callers(Set<Sender> callers) {
    conversations.forEach(
        (caller, conversation) -> {
          if (!conversation.open().isEmpty()) {
            callers.add(caller);
          }
        });
  }

  /// Gives up what waits or runs past its deadline.
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

  /// Gives up everything.
  public void cancelAll() {
    List<Sender> callers;
    synchronized (this) {
      callers = List.copyOf(conversations.keySet());
    }
    callers.forEach(this::workerLost);
  }

  /// How many calls run, control calls not counted.
  public synchronized int running() {
    return running;
  }

  /// How many calls wait for room.
  public synchronized int waiting() {
    return waiting.size();
  }

  /// The calls that run, control calls included.
  public synchronized List<IncomingCall> runningCalls() {
    return conversations.values().stream()
        .flatMap(conversation -> conversation.open().stream())
        .filter(call -> !waiting.contains(call))
        .toList();
  }

  /// The calls that wait for room, in order of arrival.
  public synchronized List<IncomingCall> waitingCalls() {
    return List.copyOf(waiting);
  }

  /// How many callers it has in mind.
  synchronized int callers() {
    return conversations.size();
  }

  /// How many calls run, of how many, and how many wait.
  public synchronized String load() {
    String runs = "it runs " + running + " calls of at most " + most;
    return waiting.isEmpty() ? runs : runs + ", and " + waiting.size() + " wait";
  }
}
