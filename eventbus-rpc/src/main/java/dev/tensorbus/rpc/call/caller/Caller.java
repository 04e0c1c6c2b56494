// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.caller;

import dev.tensorbus.autograd.onnx.OnnxExport;
import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.call.Attachments;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.CallSender;
import dev.tensorbus.rpc.call.CallerContext;
import dev.tensorbus.rpc.call.PayloadCodec;
import dev.tensorbus.rpc.call.SentAttachments;
import dev.tensorbus.rpc.call.Target;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.execution.Continuation;
import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import dev.tensorbus.rpc.thread.execution.VirtualThreads;
import dev.tensorbus.rpc.thread.idle.SpinThenPark;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;

/// Makes the calls of this worker, and passes the results to the code that waits for them.
public final class Caller implements CallSender {
  /// The function name reported while waiting for several calls.
  private static final FunctionName SEVERAL = new FunctionName("several calls", "wait");

  private final CallErrors errors;
  private final Exchange exchange;
  private final PendingCalls pending;
  private final PayloadCodec codec;
  private final Attachments attachments;
  private final SpinThenPark waiting;
  private final Duration timeout;
  private final Continuations continuations;

  /// @param exchange sends the calls
  /// @param attachments the attachments of the calls
  /// @param waiting how this worker's threads wait
  /// @param timeout the default timeout of calls
  /// @param loop the event loop that receives answers
  public Caller(
      Exchange exchange,
      Attachments attachments,
      SpinThenPark waiting,
      Duration timeout,
      ContextInternal loop) {
    this.errors = new CallErrors(exchange.peers().self().sender().info());
    this.exchange = exchange;
    this.pending = exchange.pending();
    this.codec = exchange.codec();
    this.attachments = attachments;
    this.waiting = waiting;
    this.timeout = timeout;
    this.continuations = new Continuations(loop);
  }

  /// Sends a call. The future's listeners run on the thread that the call's options specify; by
  /// default, the event loop that made the call, or a virtual thread if another thread made it.
  @Override
  public <R> Future<R> send(Target target, Call<R> call) {
    requireNotRecorded(call);
    CallerContext here = here(continuations.of(call));
    PendingCall<R> pendingCall = newCall(target, call);
    Future<R> result = result(pendingCall, here);
    pendingCall.show(result);
    return result;
  }

  @Override
  public <R> Future<R> sendApart(Target target, Call<R> call) {
    return CallContext.in(
        null,
        () -> {
          CallerContext nowhere = new CallerContext(null, Runnable::run, continuations.of(call));
          return result(newCall(target, SentAttachments.NONE, call), nowhere);
        });
  }

  /// Sends a call and waits for the answer, which this thread decodes.
  @Override
  public <R> R call(Target target, Call<R> call) {
    if (OnnxExport.isRecording()) {
      throw recorded(call);
    }
    PendingCall<R> pendingCall = newCall(target, call);
    pendingCall.awaitedHere();
    Future<RawAnswer<R>> answer = exchange.run(pendingCall, ExecutionPolicy::requireMayBlock);
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

  /// Cancels the call that returned the future `shown`. Returns false if the call had already
  /// ended.
  public boolean cancel(Future<?> shown) {
    PendingCall<?> pendingCall = pending.of(shown);
    return pendingCall != null && pending.fail(pendingCall, errors.cancelled(pendingCall));
  }

  @Override
  public Future<Void> sendToKeep(Target target, Call<?> call) {
    requireNotRecorded(call);
    return result(newCall(target, call), here(ExecutionPolicy.whereCalled())).mapEmpty();
  }

  @Override
  public <T> Future<T> after(Future<T> other) {
    return here(ExecutionPolicy.whereCalled()).after(other);
  }

  private CallerContext here(Continuation continuation) {
    return new CallerContext(CallContext.around(), attachments.here(), continuation);
  }

  /// Throws if this thread is recording an ONNX export. Control calls are allowed, since they do
  /// not take part in the computation.
  private void requireNotRecorded(Call<?> call) {
    if (OnnxExport.isRecording() && !exchange.ended().isControl(call.function())) {
      throw recorded(call);
    }
  }

  private static IllegalStateException recorded(Call<?> call) {
    return new IllegalStateException(
        call.function().shortName()
            + " is called in a computation that is recorded for ONNX, where its result would be a"
            + " constant; export the computation of each worker separately");
  }

  private <R> PendingCall<R> newCall(Target target, Call<R> call) {
    return newCall(target, attachments.call(call.function(), target), call);
  }

  private <R> PendingCall<R> newCall(Target target, SentAttachments attached, Call<R> call) {
    Duration own = call.options().timeout() == null ? timeout : call.options().timeout();
    return new PendingCall<>(call, target, attached, CallContext.bound(own), pending.clock());
  }

  /// Runs a call and returns a future of the result. Its listeners run in the context in which the
  /// call was made.
  private <R> Future<R> result(PendingCall<R> pendingCall, CallerContext here) {
    Promise<R> result = Promise.promise();
    exchange
        .run(pendingCall, () -> {})
        .onSuccess(answer -> conclude(answer, here, result))
        .onFailure(error -> here.runApart(() -> result.fail(error)));
    return result.future();
  }

  private <R> void conclude(RawAnswer<R> answer, CallerContext here, Promise<R> result) {
    if (here.continuation().allowsEventLoop() && answer.isShort()) {
      decode(answer, here, result);
    } else {
      Threads.system().start("tensorbus-answer", () -> decode(answer, here, result));
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
  ///
  /// @param how the verb of the message, such as "left"
  public void workerLost(Sender gone, String how) {
    pending.workerLost(gone, call -> errors.lost(call, how));
  }

  /// Fails all pending calls, because this worker has left.
  public void close() {
    pending.endSearches();
    pending.failEach(errors::closed);
  }
}
