// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.FunctionName;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.RpcException;
import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.WorkerBusyException;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.graph.Recording;
import dev.tensorbus.rpc.membership.Member;
import dev.tensorbus.rpc.pending.Clock;
import dev.tensorbus.rpc.pending.Lookout;
import dev.tensorbus.rpc.pending.Outbound;
import dev.tensorbus.rpc.pending.PendingCalls;
import dev.tensorbus.rpc.pending.Target;
import dev.tensorbus.rpc.pending.VirtualThreads;
import dev.tensorbus.rpc.wire.Cancel;
import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Request;
import dev.tensorbus.rpc.wire.Response;
import dev.tensorbus.rpc.wire.Response.Outcome;
import dev.tensorbus.rpc.wire.Sender;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Sends calls, repeats those that want it, and takes their answers.
final class Caller {
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(2);

  /// How long a call that is repeated may fail to leave.
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /// Whose habit it is how to wait for the answers of several calls.
  private static final FunctionName SEVERAL = new FunctionName("several calls", "wait");

  private final EventBusRpc rpc;
  private final Codec codec;
  private final Outlet outlet;
  private final Clock clock;
  private final PendingCalls pending;
  private final Duration timeout;
  private final Lookout lookout = new Lookout();

  Caller(EventBusRpc rpc, Codec codec, Outlet outlet, Clock clock, Duration timeout) {
    this.rpc = rpc;
    this.codec = codec;
    this.outlet = outlet;
    this.clock = clock;
    this.pending = rpc.pending();
    this.timeout = timeout;
  }

  /// How this worker's threads wait.
  Lookout lookout() {
    return lookout;
  }

  /// An answer that is not decoded yet.
  private record Answer<R>(Outbound<R> question, Frame frame) {
    /// Whether an event loop may decode it.
    boolean isBrief() {
      return frame.isSmall() && !Response.Head.from(frame).mayWait();
    }
  }

  /// Sends a call. What follows runs on the event loop that calls, as with other futures of
  /// Vert.x, or else on a virtual thread; or if the call says that it never waits, where the
  /// answer is taken, on an event loop maybe.
  <R> Future<R> send(Target target, Call<R> call) {
    boolean isBrief = call.options().goesOnBriefly();
    Surroundings here = isBrief ? Surroundings.briefly() : Surroundings.here();
    Outbound<R> question = question(target, null, call);
    Future<R> result = result(question, here);
    question.show(result);
    return result;
  }

  /// Sends a call and waits; the answer is decoded on this thread.
  <R> R call(Target target, Call<R> call) {
    Outbound<R> question = question(target, null, call);
    Future<Answer<R>> answer = exchange(question, VirtualThreads::requireMayBlock);
    try {
      return decode(lookout.await(question, answer));
    } catch (CancellationException e) {
      pending.fail(question.number(), e);
      throw e;
    }
  }

  /// Waits for the results of calls that [#send] made.
  <R> List<R> awaitAll(List<Future<R>> results) {
    CompositeFuture all = Future.all(results);
    lookout.await(SEVERAL, all, () -> VirtualThreads.await(all));
    return all.list();
  }

  /// Gives a call up whose result `shown` is to become; whether it had not ended before.
  boolean cancel(Future<?> shown) {
    Outbound<?> question = pending.of(shown);
    return question != null
        && pending.fail(
            question.number(),
            new CancellationException(
                rpc.self()
                    + " gave up "
                    + question.function()
                    + " on "
                    + question.to().info()
                    + "; the method may have run"));
  }

  /// Sends a call whose result stays there.
  <R> RRef<R> create(Target target, Call<R> call) {
    ForkId names = rpc.references().newFork();
    if (target.worker().equals(rpc.self().name())) {
      return createHere(target, call, names);
    }
    Member owner = rpc.membership().requireMember(target.worker());
    Future<Void> created = result(question(target, names, call), Surroundings.here()).mapEmpty();
    return rpc.references().used(names, owner.sender(), created);
  }

  @SuppressWarnings("unchecked") // the call's result decides the type
  private <R> RRef<R> createHere(Target target, Call<R> call, ForkId names) {
    Future<R> made = result(question(target, names, call), Surroundings.here());
    OwnedRRef<Object> place = rpc.references().create(names, rpc.member().sender());
    made.onFailure(place.value()::tryFail).onComplete(done -> rpc.references().drop(names));
    return (RRef<R>) place;
  }

  private <R> Outbound<R> question(Target target, @Nullable ForkId result, Call<R> call) {
    Duration own = call.options().timeout() == null ? timeout : call.options().timeout();
    return new Outbound<>(call, target, result, Contexts.current(), CallContext.bound(own));
  }

  private <R> Future<Answer<R>> exchange(Outbound<R> question) {
    return exchange(question, () -> {});
  }

  /// @param first throws if the call must not be made
  private <R> Future<Answer<R>> exchange(Outbound<R> question, Runnable first) {
    Runnable over = question.target().over();
    try {
      first.run();
      return begin(question).onComplete(done -> over.run());
    } catch (RuntimeException e) {
      over.run();
      throw e;
    }
  }

  private <R> Future<Answer<R>> begin(Outbound<R> question) {
    pending.requireOpen(question);
    Target target = question.target();
    Member known = rpc.membership().member(target.worker());
    return known != null
        ? ask(question, known)
        : pending.afterSearch(
            rpc.membership().find(target.worker()), found -> ask(question, found));
  }

  private <R> Future<Answer<R>> ask(Outbound<R> question, Member to) {
    Target target = question.target();
    if (target.life() != null && !target.life().equals(to.sender())) {
      throw gone(question);
    }
    question.to(to);
    Codec.Encoded arguments =
        codec.encodeRequest(
            question.call().arguments().toArray(),
            to.sender(),
            question.recording(),
            question.remaining());
    try {
      pending.add(question);
    } catch (RuntimeException e) {
      rpc.references().recall(arguments.forks());
      arguments.shipment().end();
      throw e;
    }
    question.request(request(question, arguments));
    Future<Frame> answer =
        question.answer().future().andThen(done -> ended(question, arguments, done.cause()));
    transmit(question);
    arguments.shipment().start();
    repeatIfWanted(question);
    return answer.map(frame -> new Answer<>(question, frame));
  }

  private static NoSuchWorkerException gone(Outbound<?> question) {
    String name = question.target().worker();
    return new NoSuchWorkerException(
        name,
        name
            + ", which owned the object that "
            + question.function()
            + " is for, has left; the worker of that name today is another",
        false);
  }

  private Request request(Outbound<?> question, Codec.Encoded arguments) {
    return new Request(
        question.number(),
        rpc.member().sender(),
        question.limit().toNanos(),
        question.options().retryAfter() != null,
        !arguments.forks().isEmpty(),
        question.function(),
        question.target().receiver(),
        question.result(),
        arguments.payload());
  }

  private void transmit(Outbound<?> question) {
    outlet
        .send(question.to().sender(), question.frame())
        .onSuccess(done -> question.delivered())
        .onFailure(error -> undelivered(question, error));
  }

  /// Who is to be asked again may be there next time, while the cluster sorts itself; but one
  /// that cannot be found for long is gone, even if its node is not.
  private void undelivered(Outbound<?> question, Throwable error) {
    boolean isRepeated = question.options().retryAfter() != null;
    if (!isRepeated || question.undelivered() > PATIENCE_NANOS) {
      pending.fail(question.number(), unreachable(question, error, isRepeated));
    }
  }

  private static NoSuchWorkerException unreachable(
      Outbound<?> question, Throwable error, boolean mayHaveRun) {
    String name = question.to().info().name();
    return new NoSuchWorkerException(
        name,
        name
            + " cannot be reached for "
            + question.function()
            + (mayHaveRun ? "; the method may have run: " : ", which has not run: ")
            + error.getMessage(),
        mayHaveRun);
  }

  /// The alarm of a call that is answered would wake the clock's thread for nothing.
  private void repeatIfWanted(Outbound<?> question) {
    Duration first = question.options().retryAfter();
    if (first != null) {
      ScheduledFuture<?> alarm = clock.alarm(first.toNanos(), () -> repeat(first, question));
      question.answer().future().onComplete(done -> Clock.cancel(alarm));
    }
  }

  private void repeat(Duration interval, Outbound<?> question) {
    if (pending.get(question.number()) != null) {
      transmit(question);
      Duration twice = interval.multipliedBy(2);
      Duration next = twice.compareTo(LONGEST_RETRY) < 0 ? twice : LONGEST_RETRY;
      clock.after(next.toNanos(), () -> repeat(next, question));
    }
  }

  /// Takes an answer; one that nobody waits for, or of another than was asked, is dropped.
  void answered(Frame frame) {
    Response.Head head = Response.Head.from(frame);
    Outbound<?> question = pending.get(head.call());
    if (question == null || question.to().sender().incarnation() != head.life()) {
      return;
    }
    boolean waits = !question.options().failsWhenBusy();
    if (head.outcome() == Outcome.EXPIRED) {
      pending.fail(head.call(), question.timedOut()); // the callee's clock was the first
    } else if (head.outcome() == Outcome.BUSY && waits) {
      waitForRoom(question);
    } else {
      pending.answer(head.call(), frame);
    }
  }

  private void waitForRoom(Outbound<?> question) {
    long most = TimeUnit.MILLISECONDS.toNanos(question.nextBusyMillis());
    clock.after(
        ThreadLocalRandom.current().nextLong(most / 2, most),
        () -> {
          if (pending.get(question.number()) != null) {
            transmit(question);
          }
        });
  }

  private void ended(Outbound<?> question, Codec.Encoded arguments, @Nullable Throwable error) {
    rpc.references().sent(arguments.forks());
    arguments.shipment().end();
    if (error == null) {
      return;
    }
    if (error instanceof RpcTimeoutException || error instanceof CancellationException) {
      Cancel cancel = new Cancel(question.number(), rpc.member().sender());
      outlet.send(question.to().sender(), cancel.toFrame());
    }
    Recording recording = question.recording();
    if (recording != null) {
      Contexts.of(rpc).breakOff(recording, question.to().info().name(), error);
    }
  }

  /// The result. What is composed on it goes on where the call was made: with the same deadline
  /// and in the same autograd context.
  private <R> Future<R> result(Outbound<R> question, Surroundings here) {
    Promise<R> result = Promise.promise();
    exchange(question)
        .onSuccess(answer -> conclude(answer, here, result))
        .onFailure(error -> here.run(() -> result.fail(error)));
    return result.future();
  }

  private <R> void conclude(Answer<R> answer, Surroundings here, Promise<R> result) {
    if (here.allowEventLoop() && answer.isBrief()) {
      decode(answer, here, result);
    } else {
      Thread.ofVirtual().name("tensorbus-answer").start(() -> decode(answer, here, result));
    }
  }

  private <R> void decode(Answer<R> answer, Surroundings here, Promise<R> result) {
    R decoded;
    try {
      decoded = decode(answer);
    } catch (RuntimeException | Error e) {
      here.run(() -> result.fail(e));
      return;
    }
    here.run(() -> result.complete(decoded));
  }

  // The method reference's type says what the function returns, null where it is void.
  @SuppressWarnings({"unchecked", "NullAway"})
  private <R> R decode(Answer<R> answer) {
    Response response = decoded(answer.frame());
    Outbound<R> question = answer.question();
    if (response.outcome() != Outcome.RESULT) {
      failed(question);
      throw failure(question, response);
    }
    Payload result = response.result();
    return result == null ? (R) null : (R) value(question, result);
  }

  /// The value of a result. If it is taken so late that its references were taken back (G11), it
  /// is no answer in time.
  private @Nullable Object value(Outbound<?> question, Payload result) {
    Sender from = question.to().sender();
    Payload whole = complete(question, result);
    try {
      return codec.decodeAnswer(whole, from, question.recording(), question.remaining());
    } catch (WireException e) {
      throw question.remaining() > 0 ? e : question.timedOut();
    }
  }

  private Payload complete(Outbound<?> question, Payload result) {
    try {
      return codec.complete(result, question.to().sender(), question.remaining());
    } catch (RpcTimeoutException e) {
      throw question.remaining() > 0 ? e : question.timedOut();
    }
  }

  /// An error does not say whether the method recorded anything before.
  private void failed(Outbound<?> question) {
    Recording recording = question.recording();
    if (recording != null) {
      Contexts.of(rpc).reached(recording, question.to().info().name());
    }
  }

  private static Response decoded(Frame frame) {
    try {
      return Response.from(frame);
    } catch (WireException e) {
      throw new WireException(e.getMessage() + "; the method has run", e, true);
    }
  }

  private static RpcException failure(Outbound<?> question, Response response) {
    String worker = question.to().info().name();
    String function = question.function().toString();
    Response.Failure failure = Objects.requireNonNull(response.failure());
    return switch (response.outcome()) {
      case BUSY -> new WorkerBusyException(worker, function, failure.message());
      default ->
          new RemoteException(
              worker,
              function,
              failure.type(),
              failure.message(),
              failure.stack(),
              response.outcome() == Outcome.THREW);
    };
  }
}
