// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.Call;
import dev.tensorbus.rpc.NoSuchWorkerException;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.RemoteException;
import dev.tensorbus.rpc.eventbus.PendingCalls.Pending;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.graph.WorkerContext;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Request;
import dev.tensorbus.rpc.wire.Request.NewRef;
import dev.tensorbus.rpc.wire.Response;
import io.vertx.core.Future;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Sends calls and takes their answers.
final class Caller {
  private final EventBusRpc rpc;
  private final Codec codec;
  private final Outlet outlet;
  private final Duration timeout;

  Caller(EventBusRpc rpc, Codec codec, Outlet outlet, Duration timeout) {
    this.rpc = rpc;
    this.codec = codec;
    this.outlet = outlet;
    this.timeout = timeout;
  }

  /// A call on its way out.
  ///
  /// @param result where the result is to stay, or null to bring it here
  /// @param context the autograd context of the thread that calls
  /// @param limit how long the call may take
  private record Outbound<R>(
      Call<R> call,
      Target target,
      @Nullable NewRef result,
      @Nullable WorkerContext context,
      Duration limit) {}

  /// An answer that is not decoded yet.
  private record Answer<R>(Outbound<R> question, Member from, Frame frame) {}

  /// Sends a call; the answer is decoded on a virtual thread.
  <R> Future<R> send(Target target, Call<R> call) {
    return exchange(target, null, call).compose(this::decodeAside);
  }

  /// Sends a call and waits; the answer is decoded on this thread.
  <R> R call(Target target, Call<R> call) {
    return decode(VirtualThreads.await(exchange(target, null, call)));
  }

  /// Sends a call whose result stays there.
  <R> RRef<R> create(Target target, Call<R> call) {
    NewRef names = rpc.references().newRef();
    if (target.worker().equals(rpc.self().name())) {
      return createHere(target, call, names);
    }
    Member owner = rpc.membership().requireMember(target.worker());
    Future<Void> created = exchange(target, names, call).compose(this::decodeAside).mapEmpty();
    return new UserRRef<>(rpc, names.id(), names.fork(), owner.sender(), created);
  }

  @SuppressWarnings("unchecked") // the call's result decides the type
  private <R> RRef<R> createHere(Target target, Call<R> call, NewRef names) {
    OwnedRRef<Object> place = rpc.references().create(names, rpc.self().name());
    exchange(target, names, call)
        .compose(this::decodeAside)
        .onFailure(place.value()::tryFail)
        .onComplete(done -> rpc.references().drop(names.id(), names.fork()));
    return (RRef<R>) place;
  }

  private <R> Future<Answer<R>> exchange(Target target, @Nullable NewRef result, Call<R> call) {
    Duration own = call.timeout() == null ? timeout : call.timeout();
    Outbound<R> question =
        new Outbound<>(call, target, result, Contexts.current(), CallContext.bound(own));
    Member known = rpc.membership().member(target.worker());
    return known != null
        ? ask(question, known)
        : rpc.membership().find(target.worker()).compose(found -> ask(question, found));
  }

  private <R> Future<Answer<R>> ask(Outbound<R> question, Member to) {
    Call<?> call = question.call();
    Payload arguments = codec.encode(call.arguments().toArray(), to, question.context());
    Pending pending = rpc.pending().add(call, to, question.target().reference(), question.limit());
    Request request =
        new Request(
            pending.id(),
            rpc.member().sender(),
            question.limit().toNanos(),
            call.function(),
            question.target().receiver(),
            question.result(),
            arguments);
    outlet
        .send(to.sender(), request.toFrame())
        .onFailure(error -> rpc.pending().fail(pending.id(), unreachable(to, call, error)));
    WorkerContext context = question.context();
    return pending
        .answer()
        .future()
        .onFailure(error -> breakContext(context, error))
        .map(frame -> new Answer<>(question, to, frame));
  }

  /// Nobody knows what became of the tensors of a call that was not answered.
  private static void breakContext(@Nullable WorkerContext context, Throwable error) {
    if (context != null) {
      context.breakOff(error);
    }
  }

  private static NoSuchWorkerException unreachable(Member to, Call<?> call, Throwable error) {
    String name = to.info().name();
    return new NoSuchWorkerException(
        name,
        name
            + " cannot be reached for "
            + call.function()
            + ", which has not run: "
            + error.getMessage());
  }

  private <R> Future<R> decodeAside(Answer<R> answer) {
    return VirtualThreads.call("tensorbus-answer", () -> decode(answer));
  }

  // The method reference's type says what the function returns, null where it is void.
  @SuppressWarnings({"unchecked", "NullAway"})
  private <R> R decode(Answer<R> answer) {
    String from = answer.from().info().name();
    Response response = Response.from(answer.frame());
    Response.Failure failure = response.failure();
    if (failure != null) {
      throw new RemoteException(
          from,
          answer.question().call().function().toString(),
          failure.type(),
          failure.message(),
          failure.stack());
    }
    Payload result = response.result();
    return result == null ? (R) null : (R) codec.decode(result, from, answer.question().context());
  }
}
