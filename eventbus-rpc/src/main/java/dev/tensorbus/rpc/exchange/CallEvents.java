// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.exchange;

import dev.tensorbus.rpc.EndedCall;
import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.EndedCall.Side;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.jfr.CallEvent;
import dev.tensorbus.rpc.jfr.MethodEvent;
import dev.tensorbus.rpc.pending.PendingCall;
import dev.tensorbus.rpc.serving.Functions.Function;
import dev.tensorbus.rpc.thread.execution.Listeners;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.message.Request;
import dev.tensorbus.rpc.wire.message.Response;
import io.vertx.core.AsyncResult;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Notifies of the calls that end, on either side, and records their events in the JDK's Flight
/// Recorder; Tensorbus's own control calls are left out. While nobody listens or records, a call
/// pays for a look at an empty list and one at null.
public final class CallEvents {
  private final Listeners<EndedCall> listeners = new Listeners<>();
  private final Predicate<FunctionName> isControl;
  private final String self;

  /// Nobody listens yet.
  ///
  /// @param self the name of this worker
  /// @param isControl whether a function is one of Tensorbus's own control messages
  public CallEvents(String self, Predicate<FunctionName> isControl) {
    this.self = self;
    this.isControl = isControl;
  }

  /// Lets one more hear of the calls that end from now on.
  public void add(Consumer<EndedCall> listener) {
    listeners.add(listener);
  }

  /// This thread is about to make a call.
  void begin(PendingCall<?> call) {
    call.event(CallEvent.begun());
  }

  /// A call could not be made.
  void notMade(PendingCall<?> call) {
    endEvent(call);
  }

  /// A call that this worker made is answered, or has failed.
  void made(PendingCall<?> call, Outcome outcome) {
    endEvent(call);
    FunctionName function = call.function();
    if (isHeardOf(function)) {
      String peer = call.target().worker();
      listeners.tell(
          new EndedCall(Side.CALLER, peer, function, outcome, call.elapsed(), call.repeats()));
    }
  }

  private void endEvent(PendingCall<?> call) {
    CallEvent event = call.event();
    FunctionName function = call.function();
    if (event != null && !isControl.test(function)) {
      event.end(call.mode(), function.shortName(), self, call.target().worker(), call.number());
    }
  }

  /// Runs the method of a call on this thread. Its event ends before the answer leaves, so that a
  /// profile has it when the caller goes on.
  @Nullable Object invoke(Request.Head head, Function function, @Nullable Object[] arguments)
      throws Throwable {
    MethodEvent event = MethodEvent.begun();
    try {
      return function.invoke(arguments);
    } finally {
      event.end();
      if (event.shouldCommit() && !isControl.test(head.function())) {
        event.end(head.function().shortName(), head.from().info().name(), self, head.call());
      }
    }
  }

  /// A call that this worker was asked for is over.
  ///
  /// @param answer what the caller was answered; null if nobody takes an answer any more
  /// @param remaining the nanoseconds that the caller still waits
  void served(Request.Head head, @Nullable Frame answer, long remaining) {
    if (isHeardOf(head.function())) {
      Outcome outcome =
          answer == null ? Outcome.LOST : outcome(Response.Head.from(answer).outcome());
      String peer = head.from().info().name();
      long nanos = head.remainingNanos() - remaining;
      listeners.tell(new EndedCall(Side.CALLEE, peer, head.function(), outcome, nanos, 0));
    }
  }

  /// Whether a function is one of Tensorbus's own control messages.
  boolean isControl(FunctionName function) {
    return isControl.test(function);
  }

  private boolean isHeardOf(FunctionName function) {
    return !listeners.isEmpty() && !isControl.test(function);
  }

  /// How a call that this worker made has ended.
  static Outcome outcome(AsyncResult<? extends RawAnswer<?>> done) {
    return done.succeeded()
        ? outcome(done.result().pendingCall().answered().outcome())
        : outcome(done.cause());
  }

  private static Outcome outcome(Response.Outcome outcome) {
    return switch (outcome) {
      case RESULT -> Outcome.OK;
      case BUSY -> Outcome.BUSY;
      case EXPIRED -> Outcome.TIMEOUT;
      case THREW, REFUSED, PENDING -> Outcome.ERROR;
    };
  }

  /// How a call has ended that failed here.
  static Outcome outcome(Throwable error) {
    return switch (error) {
      case RpcTimeoutException _ -> Outcome.TIMEOUT;
      case CancellationException _ -> Outcome.CANCELLED;
      case NoSuchWorkerException _ -> Outcome.LOST;
      default -> Outcome.ERROR;
    };
  }
}
