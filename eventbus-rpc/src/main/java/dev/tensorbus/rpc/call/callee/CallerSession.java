// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import dev.tensorbus.rpc.call.callee.IncomingCalls.Admission;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.message.Request;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The state of the calls from one incarnation of a caller. Guarded by [IncomingCalls].
final class CallerSession {
  private final SeenNumbers seen = new SeenNumbers();
  private final KeptAnswers answers = new KeptAnswers();
  private final Map<Long, IncomingCall> open = new HashMap<>();

  /// Returns the decision on a call that has arrived before, or null if the call is new.
  @Nullable Admission known(Request.Head call) {
    seen.addBelow(call.firstIncomplete());
    answers.dropBelow(call.firstIncomplete());
    if (!seen.contains(call.call())) {
      return null;
    }
    if (!call.mayRepeat() || !hasEnded(call.call())) {
      return Admission.KNOWN;
    }
    return answers.get(call.call()) == null ? Admission.FORGOTTEN : Admission.ANSWERED;
  }

  /// Adds a call that has not arrived before.
  void open(IncomingCall call) {
    seen.add(call.number());
    open.put(call.number(), call);
  }

  /// Records that a call is over, and keeps its answer if the caller may request it again.
  void close(IncomingCall call, @Nullable Frame answer) {
    open.remove(call.number());
    seen.add(call.number());
    if (answer != null && call.head().mayRepeat()) {
      answers.add(call.number(), answer);
    }
  }

  /// Returns the call to cancel, or null if it is not open. If the call has yet to arrive, it will
  /// never run.
  @Nullable IncomingCall cancel(long number) {
    seen.add(number);
    return open.get(number);
  }

  /// Returns the calls that are queued or running.
  Collection<IncomingCall> open() {
    return open.values();
  }

  /// Returns whether a call has arrived and is no longer open.
  boolean hasEnded(long number) {
    return seen.contains(number) && !open.containsKey(number);
  }

  @Nullable Frame answerOf(long number) {
    return answers.get(number);
  }
}
