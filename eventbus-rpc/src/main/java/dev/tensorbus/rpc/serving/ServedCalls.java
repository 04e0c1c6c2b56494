// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.serving;

import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The calls that this worker runs for others: none twice (G4), and no more at a time than it
/// admits.
public final class ServedCalls {
  /// What a call may be late before its thread is told, should the caller's word be lost.
  private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final int most;
  private final AtomicInteger running = new AtomicInteger();
  private final Map<Sender, Conversation> conversations = new ConcurrentHashMap<>();

  /// No calls yet.
  ///
  /// @param most how many calls to admit at a time
  public ServedCalls(int most) {
    this.most = most;
  }

  /// What one caller's calls have come to.
  private static final class Conversation {
    private final SeenNumbers seen = new SeenNumbers();
    private final KeptAnswers answers = new KeptAnswers();
    private final Map<Long, ServedCall> running = new HashMap<>();
  }

  /// What is to be done with a call that came.
  public enum Admission {
    /// Run it.
    RUN,
    /// Tell the caller that there is no room.
    BUSY,
    /// It runs already, or has been answered: do nothing.
    KNOWN,
    /// It has run, and its answer is no longer here.
    FORGOTTEN,
    /// Repeat its answer.
    ANSWERED
  }

  private Conversation with(Sender caller) {
    return conversations.computeIfAbsent(caller, key -> new Conversation());
  }

  /// Decides on a call. Our own control calls never block for long and are always admitted: calls
  /// that run may wait for them.
  public Admission admit(ServedCall call, boolean isControl) {
    Conversation conversation = with(call.caller());
    synchronized (conversation) {
      if (conversation.seen.contains(call.number())) {
        return known(conversation, call);
      }
      if (running.incrementAndGet() > most && !isControl) {
        running.decrementAndGet();
        return Admission.BUSY;
      }
      conversation.seen.add(call.number());
      conversation.running.put(call.number(), call);
      return Admission.RUN;
    }
  }

  private static Admission known(Conversation conversation, ServedCall call) {
    if (conversation.running.containsKey(call.number())) {
      return Admission.KNOWN;
    }
    if (conversation.answers.get(call.number()) != null) {
      return Admission.ANSWERED;
    }
    return call.mayRepeat() || conversation.seen.isForgotten(call.number())
        ? Admission.FORGOTTEN
        : Admission.KNOWN;
  }

  /// The answer that was given to a call, if it is still here.
  public @Nullable Frame answerOf(ServedCall call) {
    Conversation conversation = with(call.caller());
    synchronized (conversation) {
      return conversation.answers.get(call.number());
    }
  }

  /// Notes that a call has been answered.
  public void finish(ServedCall call, Frame answer) {
    Conversation conversation = conversations.get(call.caller());
    if (conversation == null) {
      return; // the caller has left, and its calls were counted out then
    }
    synchronized (conversation) {
      if (conversation.running.remove(call.number()) != null) {
        running.decrementAndGet();
      }
      if (call.mayRepeat()) {
        conversation.answers.add(call.number(), answer);
      }
    }
  }

  /// Gives a call up: tells it if it runs, and never runs it if it has yet to come.
  public void cancel(Sender caller, long number) {
    Conversation conversation = with(caller);
    ServedCall call;
    synchronized (conversation) {
      if (!conversation.seen.contains(number)) {
        conversation.seen.add(number);
      }
      call = conversation.running.get(number);
    }
    if (call != null) {
      call.cancel();
    }
  }

  /// Gives up whatever a worker asked for that has left.
  public void workerLost(Sender caller) {
    Conversation conversation = conversations.remove(caller);
    if (conversation != null) {
      List<ServedCall> calls;
      synchronized (conversation) {
        calls = List.copyOf(conversation.running.values());
        conversation.running.clear();
        running.addAndGet(-calls.size());
      }
      calls.forEach(ServedCall::cancel);
    }
  }

  /// Gives up what runs past its deadline.
  public void cancelOverdue() {
    for (Conversation conversation : conversations.values()) {
      List<ServedCall> calls;
      synchronized (conversation) {
        calls = List.copyOf(conversation.running.values());
      }
      calls.stream().filter(call -> call.remaining() < -GRACE_NANOS).forEach(ServedCall::cancel);
    }
  }

  /// Gives up everything.
  public void cancelAll() {
    List.copyOf(conversations.keySet()).forEach(this::workerLost);
  }

  /// How many calls run.
  public int size() {
    return running.get();
  }

  /// How many calls run, of how many.
  public String load() {
    return "it runs " + running.get() + " calls of at most " + most;
  }
}
