// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.exchange;

import dev.tensorbus.rpc.EndedCall;
import dev.tensorbus.rpc.EndedCall.Outcome;
import dev.tensorbus.rpc.EndedCall.Side;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.membership.Listeners;
import dev.tensorbus.rpc.pending.PendingCall;
import dev.tensorbus.rpc.trace.SentSpan;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.message.Request;
import dev.tensorbus.rpc.wire.message.Response;
import io.vertx.core.AsyncResult;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Tells of the calls that end, of either side, less Tensorbus's own control calls. While nobody
/// listens, a call pays for one look at an empty list.
public final class EndedCalls {
  private final Listeners<EndedCall> listeners = new Listeners<>();
  private final Predicate<FunctionName> isControl;

  /// Nobody listens yet.
  ///
  /// @param isControl whether a function is one of Tensorbus's own control messages
  public EndedCalls(Predicate<FunctionName> isControl) {
    this.isControl = isControl;
  }

  /// Lets one more hear of the calls that end from now on.
  public void add(Consumer<EndedCall> listener) {
    listeners.add(listener);
  }

  /// A call that this worker made is answered, or has failed.
  void made(PendingCall<?> call, AsyncResult<? extends RawAnswer<?>> done) {
    FunctionName function = call.function();
    if (isHeardOf(function)) {
      Outcome outcome = outcome(done);
      String peer = call.target().worker();
      listeners.tell(
          new EndedCall(Side.CALLER, peer, function, outcome, call.elapsed(), call.repeats()));
    }
  }

  /// Ends the span of a call that this worker made.
  static void end(SentSpan span, AsyncResult<? extends RawAnswer<?>> done) {
    Outcome outcome = outcome(done);
    if (outcome == Outcome.OK) {
      span.end();
    } else {
      span.fail(outcome, done.cause());
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
