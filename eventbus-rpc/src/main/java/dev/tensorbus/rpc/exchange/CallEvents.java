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
import dev.tensorbus.rpc.observe.trace.SentSpan;
import dev.tensorbus.rpc.observe.trace.ServedSpan;
import dev.tensorbus.rpc.observe.trace.Tracing;
import dev.tensorbus.rpc.pending.PendingCall;
import dev.tensorbus.rpc.serving.Functions.Function;
import dev.tensorbus.rpc.thread.execution.Listeners;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.message.Request;
import dev.tensorbus.rpc.wire.message.Response;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Tells of the calls that end, of either side, and begins and ends their spans and their events in
/// the JDK's Flight Recorder; less Tensorbus's own control calls. While nobody listens, traces or
/// records, a call pays for a look at an empty list and one at null.
public final class CallEvents {
  private final Listeners<EndedCall> listeners = new Listeners<>();
  private final Predicate<FunctionName> isControl;
  private final Tracing tracing;
  private final String self;

  /// Nobody listens yet.
  ///
  /// @param self the name of this worker
  /// @param isControl whether a function is one of Tensorbus's own control messages
  /// @param tracing makes the spans
  public CallEvents(String self, Predicate<FunctionName> isControl, Tracing tracing) {
    this.self = self;
    this.isControl = isControl;
    this.tracing = tracing;
  }

  /// Lets one more hear of the calls that end from now on.
  public void add(Consumer<EndedCall> listener) {
    listeners.add(listener);
  }

  /// This thread is about to make a call.
  void begin(PendingCall<?> call) {
    call.span(tracing.call(call.function(), call.target().worker()));
    call.event(CallEvent.begun());
  }

  /// A call could not be made.
  void notMade(PendingCall<?> call, Throwable error) {
    endEvent(call);
    endSpan(call, Future.failedFuture(error));
  }

  /// A call that this worker made is answered, or has failed.
  void made(PendingCall<?> call, AsyncResult<? extends RawAnswer<?>> done) {
    endEvent(call);
    endSpan(call, done);
    FunctionName function = call.function();
    if (isHeardOf(function)) {
      Outcome outcome = outcome(done);
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

  private static void endSpan(PendingCall<?> call, AsyncResult<? extends RawAnswer<?>> done) {
    SentSpan span = call.span();
    if (span == null) {
      return;
    }
    Outcome outcome = outcome(done);
    if (outcome == Outcome.OK) {
      span.end();
    } else {
      span.fail(outcome, done.cause());
    }
  }

  /// This thread is about to run the method of a call.
  ///
  /// @return the method's span, or null if it has none
  @Nullable ServedSpan beginMethod(Request.Head head) {
    return tracing.method(head.function(), head.from().info().name(), head.trace());
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
      Outcome outcome = answer == null ? Outcome.LOST : outcome(answer);
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

  private static Outcome outcome(AsyncResult<? extends RawAnswer<?>> done) {
    return done.succeeded() ? outcome(done.result().frame()) : outcome(done.cause());
  }

  private static Outcome outcome(Frame answer) {
    return switch (Response.Head.from(answer).outcome()) {
      case RESULT -> Outcome.OK;
      case BUSY -> Outcome.BUSY;
      case EXPIRED -> Outcome.TIMEOUT;
      case THREW, REFUSED, PENDING -> Outcome.ERROR;
    };
  }

  private static Outcome outcome(Throwable error) {
    return switch (error) {
      case RpcTimeoutException _ -> Outcome.TIMEOUT;
      case CancellationException _ -> Outcome.CANCELLED;
      case NoSuchWorkerException _ -> Outcome.LOST;
      default -> Outcome.ERROR;
    };
  }
}
