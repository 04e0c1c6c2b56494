// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.exchange;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.CallSender;
import dev.tensorbus.rpc.call.CallerContext;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.execution.ExecutionPolicy;
import dev.tensorbus.rpc.execution.VirtualThreads;
import dev.tensorbus.rpc.graph.Recording;
import dev.tensorbus.rpc.idle.SpinThenPark;
import dev.tensorbus.rpc.membership.Departure;
import dev.tensorbus.rpc.membership.Member;
import dev.tensorbus.rpc.membership.Membership;
import dev.tensorbus.rpc.pending.PendingCall;
import dev.tensorbus.rpc.pending.PendingCalls;
import dev.tensorbus.rpc.trace.SentSpan;
import dev.tensorbus.rpc.trace.Tracing;
import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Response;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// Sends the calls of this worker and takes their answers.
public final class Caller implements CallSender {
  /// Stands for all waits for the answers of several calls.
  private static final FunctionName SEVERAL = new FunctionName("several calls", "wait");

  private final CallErrors errors;
  private final Membership membership;
  private final PendingCalls pending;
  private final PayloadCodec codec;
  private final Transmitter transmitter;
  private final SpinThenPark waiting;
  private final Duration timeout;
  private final EndedCalls ended;
  private final Tracing tracing;
  private final Continuations continuations;

  /// @param waiting how this worker's threads wait
  /// @param timeout how long a call may take unless it says otherwise
  /// @param ended hears of each call that ends
  /// @param loop the event loop that takes answers
  public Caller(
      Membership membership,
      PendingCalls pending,
      PayloadCodec codec,
      Transmitter transmitter,
      SpinThenPark waiting,
      Duration timeout,
      EndedCalls ended,
      Tracing tracing,
      ContextInternal loop) {
    this.errors = new CallErrors(membership.self().info());
    this.membership = membership;
    this.pending = pending;
    this.codec = codec;
    this.transmitter = transmitter;
    this.waiting = waiting;
    this.timeout = timeout;
    this.ended = ended;
    this.tracing = tracing;
    this.continuations = new Continuations(loop);
  }

  /// Sends a call. The code that follows runs where the call says, or else where the call is made.
  @Override
  public <R> Future<R> send(Target target, Call<R> call) {
    CallerContext here = CallerContext.here(continuations.of(call));
    PendingCall<R> pendingCall = newCall(target, null, call);
    Future<R> result = result(pendingCall, here);
    pendingCall.show(result);
    return result;
  }

  /// Sends a call and waits; the answer is decoded on this thread.
  @Override
  public <R> R call(Target target, Call<R> call) {
    PendingCall<R> pendingCall = newCall(target, null, call);
    pendingCall.awaitedHere();
    Future<RawAnswer<R>> answer = exchange(pendingCall, ExecutionPolicy::requireMayBlock);
    try {
      return waiting.await(pendingCall.function(), pendingCall::elapsed, answer).decode(codec);
    } catch (CancellationException e) {
      pending.fail(pendingCall, e);
      throw e;
    }
  }

  /// Waits for the results of calls that [#send] made.
  public <R> List<R> awaitAll(List<Future<R>> results) {
    CompositeFuture all = Future.all(results);
    waiting.await(SEVERAL, all, () -> VirtualThreads.await(all));
    return all.list();
  }

  /// Gives a call up whose result `shown` is to become; whether it had not ended before.
  public boolean cancel(Future<?> shown) {
    PendingCall<?> pendingCall = pending.of(shown);
    return pendingCall != null && pending.fail(pendingCall, errors.cancelled(pendingCall));
  }

  @Override
  public Future<Void> sendToKeep(Target target, ForkId result, Call<?> call) {
    return result(newCall(target, result, call), CallerContext.here()).mapEmpty();
  }

  private <R> PendingCall<R> newCall(Target target, @Nullable ForkId result, Call<R> call) {
    Duration own = call.options().timeout() == null ? timeout : call.options().timeout();
    return new PendingCall<>(call, target, result, Recording.current(), CallContext.bound(own));
  }

  private <R> Future<RawAnswer<R>> exchange(PendingCall<R> pendingCall) {
    return exchange(pendingCall, () -> {});
  }

  /// @param first throws if the call must not be made
  private <R> Future<RawAnswer<R>> exchange(PendingCall<R> pendingCall, Runnable first) {
    Runnable over = pendingCall.target().over();
    SentSpan span = tracing.call(pendingCall.function(), pendingCall.target().worker());
    pendingCall.span(span);
    try {
      first.run();
      Future<RawAnswer<R>> answer =
          begin(pendingCall)
              .onComplete(
                  done -> {
                    over.run();
                    ended.made(pendingCall, done);
                  });
      // The span ends before the code that follows goes on, so that a parent's is the last to end.
      return span == null ? answer : answer.andThen(done -> EndedCalls.end(span, done));
    } catch (RuntimeException | Error e) {
      over.run();
      if (span != null) {
        EndedCalls.end(span, Future.failedFuture(e));
      }
      throw e;
    }
  }

  private <R> Future<RawAnswer<R>> begin(PendingCall<R> pendingCall) {
    pending.requireOpen(pendingCall);
    Target target = pendingCall.target();
    Member known = membership.member(target.worker());
    return known != null
        ? ask(pendingCall, known)
        : pending.afterSearch(
            pendingCall, membership.find(target.worker()), found -> ask(pendingCall, found));
  }

  private <R> Future<RawAnswer<R>> ask(PendingCall<R> pendingCall, Member to) {
    Target target = pendingCall.target();
    if (target.life() != null && !target.life().equals(to.sender())) {
      throw CallErrors.replaced(pendingCall);
    }
    pendingCall.to(to.sender(), to.node());
    PayloadCodec.Encoded arguments = codec.encodeRequest(pendingCall);
    boolean isToBeSent;
    try {
      isToBeSent = pending.add(pendingCall);
    } catch (RuntimeException | Error e) {
      codec.recall(arguments);
      throw e;
    }
    Future<Frame> answer =
        pendingCall.answer().future().andThen(done -> ended(pendingCall, arguments, done.cause()));
    if (isToBeSent) {
      transmitter.start(pendingCall, arguments);
    }
    return answer.map(frame -> new RawAnswer<>(pendingCall, frame));
  }

  /// Takes an answer. Drops it if no call waits for it, or if it comes from another worker than the
  /// one that was asked.
  ///
  /// @param node where it comes from
  /// @return who has answered, or null if the answer is dropped
  public @Nullable Sender answered(Frame frame, String node) {
    Response.Head head = Response.Head.from(frame);
    PendingCall<?> pendingCall = pending.get(head.life(), head.call());
    if (pendingCall == null || !pendingCall.node().equals(node)) {
      return null;
    }
    switch (head.outcome()) {
      case PENDING -> pendingCall.acknowledge();
      case EXPIRED -> pending.fail(pendingCall, pendingCall.timedOut()); // its clock was the first
      default -> pending.answer(pendingCall, frame);
    }
    return pendingCall.to();
  }

  private void ended(
      PendingCall<?> pendingCall, PayloadCodec.Encoded arguments, @Nullable Throwable error) {
    codec.sent(arguments);
    if (error instanceof RpcTimeoutException || error instanceof CancellationException) {
      transmitter.cancel(pendingCall);
    }
    if (error != null) {
      codec.unanswered(pendingCall, error);
    }
  }

  /// The result. Code that is composed on it goes on where the call was made, with the same
  /// deadline and in the same autograd context.
  private <R> Future<R> result(PendingCall<R> pendingCall, CallerContext here) {
    Promise<R> result = Promise.promise();
    exchange(pendingCall)
        .onSuccess(answer -> conclude(answer, here, result))
        .onFailure(error -> here.runApart(() -> result.fail(error)));
    return result.future();
  }

  private <R> void conclude(RawAnswer<R> answer, CallerContext here, Promise<R> result) {
    if (here.continuation().allowsEventLoop() && answer.isShort()) {
      decode(answer, here, result);
    } else {
      VirtualThreads.start("tensorbus-answer", () -> decode(answer, here, result));
    }
  }

  private <R> void decode(RawAnswer<R> answer, CallerContext here, Promise<R> result) {
    R decoded;
    try {
      decoded = answer.decode(codec);
    } catch (RuntimeException | Error e) {
      here.run(() -> result.fail(e));
      return;
    }
    here.run(() -> result.complete(decoded));
  }

  /// Fails the calls to a worker that is gone.
  public void workerLost(Departure departure) {
    pending.workerLost(departure.member().sender(), call -> errors.lost(call, departure));
  }

  /// Fails all calls: this worker has left.
  public void close() {
    pending.endSearches();
    pending.failEach(errors::closed);
  }
}
