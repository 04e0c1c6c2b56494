// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call;

import dev.tensorbus.rpc.EndedCall;
import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.EndedCall.Side;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.jfr.CallEvent;
import dev.tensorbus.rpc.jfr.MethodEvent;
import dev.tensorbus.rpc.thread.execution.Listeners;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.message.Request;
import dev.tensorbus.rpc.wire.message.Response;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Notifies listeners when calls end, on the caller and on the callee, and records calls in the JDK
/// Flight Recorder. Ignores Tensorbus's own control calls. Without listeners and recordings, a call
/// costs only a check for an empty list and a null check.
public final class CallEvents {
  private final Listeners<EndedCall> listeners = new Listeners<>();
  private final Predicate<FunctionName> isControl;
  private final String self;

  /// Creates an instance without listeners.
  ///
  /// @param self the name of this worker
  /// @param isControl whether a function is one of Tensorbus's own control calls
  public CallEvents(String self, Predicate<FunctionName> isControl) {
    this.self = self;
    this.isControl = isControl;
  }

  /// Adds a listener for the calls that end from now on.
  public void add(Consumer<EndedCall> listener) {
    listeners.add(listener);
  }

  /// Reports the end of a call that this worker made.
  ///
  /// @param nanos the duration of the call
  /// @param repeats the number of times the request was repeated
  public void made(FunctionName function, String peer, Outcome outcome, long nanos, int repeats) {
    if (isHeardOf(function)) {
      listeners.tell(new EndedCall(Side.CALLER, peer, function, outcome, nanos, repeats));
    }
  }

  /// Records a call that this worker made.
  public void record(
      CallEvent event, String mode, FunctionName function, String peer, long number) {
    if (!isControl.test(function)) {
      event.end(mode, function.shortName(), self, peer, number);
    }
  }

  /// Records a method that this worker has run. Called before the answer is sent, so that a
  /// recording contains the event when the caller continues.
  public void record(MethodEvent event, Request.Head head) {
    event.end();
    if (event.shouldCommit() && !isControl.test(head.function())) {
      event.end(head.function().shortName(), head.from().info().name(), self, head.call());
    }
  }

  /// Reports the end of a call that this worker served.
  ///
  /// @param answer the answer to the caller, or null if the caller no longer receives one
  /// @param remaining the time until the caller's deadline, in nanoseconds
  public void served(Request.Head head, @Nullable Frame answer, long remaining) {
    if (isHeardOf(head.function())) {
      Outcome outcome =
          answer == null ? Outcome.LOST : outcome(Response.Head.from(answer).outcome());
      String peer = head.from().info().name();
      long nanos = head.remainingNanos() - remaining;
      listeners.tell(new EndedCall(Side.CALLEE, peer, head.function(), outcome, nanos, 0));
    }
  }

  /// Returns whether a function is one of Tensorbus's own control calls.
  public boolean isControl(FunctionName function) {
    return isControl.test(function);
  }

  private boolean isHeardOf(FunctionName function) {
    return !listeners.isEmpty() && !isControl.test(function);
  }

  /// Returns the outcome to report for a call, given the outcome in its answer.
  public static Outcome outcome(Response.Outcome outcome) {
    return switch (outcome) {
      case RESULT -> Outcome.OK;
      case BUSY -> Outcome.BUSY;
      case EXPIRED -> Outcome.TIMEOUT;
      case THREW, REFUSED, PENDING -> Outcome.ERROR;
    };
  }
}
