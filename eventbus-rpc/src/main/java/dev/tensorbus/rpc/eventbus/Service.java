// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import dev.tensorbus.rpc.collective.Collectives;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.graph.Recording;
import dev.tensorbus.rpc.lane.Shipment;
import dev.tensorbus.rpc.serving.Functions;
import dev.tensorbus.rpc.serving.Functions.Function;
import dev.tensorbus.rpc.serving.ServedCall;
import dev.tensorbus.rpc.serving.ServedCalls;
import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Request;
import dev.tensorbus.rpc.wire.Response;
import dev.tensorbus.rpc.wire.Response.Failure;
import dev.tensorbus.rpc.wire.Response.Outcome;
import io.vertx.core.Future;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Runs the calls that others ask for, and answers them.
final class Service {
  private static final System.Logger LOG = System.getLogger(Service.class.getName());

  private static final Set<Package> CONTROL =
      Set.of(
          Service.class.getPackage(), Contexts.class.getPackage(), Collectives.class.getPackage());

  /// Whoever is told of tensors fetches them at once, unless it has given the call up.
  private static final long LONGEST_FETCH_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final EventBusRpc rpc;
  private final Codec codec;
  private final Outlet outlet;
  private final ServedCalls served;
  private final Functions functions = new Functions(applicationLoader(), CONTROL);

  Service(EventBusRpc rpc, Codec codec, Outlet outlet, ServedCalls served) {
    this.rpc = rpc;
    this.codec = codec;
    this.outlet = outlet;
    this.served = served;
  }

  /// Where the application's classes are: with whoever opened the worker.
  private static ClassLoader applicationLoader() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return loader == null ? Service.class.getClassLoader() : loader;
  }

  /// Whether a request can be served without waiting for anything.
  boolean isBrief(Request request) {
    GlobalId receiver = request.receiver();
    return functions.isBrief(request.function())
        && !request.bringsReferences()
        && !request.arguments().isBeside()
        && (receiver == null || rpc.references().isMade(receiver));
  }

  /// Takes a request. Blocks while the method runs, and before, unless it is brief.
  void serve(Request request) {
    ServedCall call = new ServedCall(request);
    Function function;
    try {
      requireHere(request);
      function = functions.find(request.function());
    } catch (IllegalArgumentException e) {
      refuse(request, e);
      return;
    }
    switch (served.admit(call, function.isControl())) {
      case RUN -> new CallContext(rpc, call).run(new Run(call, request, function)::run);
      case BUSY ->
          send(request, new Answer(Outcome.BUSY, null, new Failure("", served.load(), "")));
      case FORGOTTEN -> send(request, new Answer(Outcome.THREW, null, forgotten()));
      case ANSWERED -> outlet.send(request.from(), Objects.requireNonNull(served.answerOf(call)));
      case KNOWN -> LOG.log(Level.DEBUG, "{0} came again", request.function());
    }
  }

  /// A worker that was cut off and comes back finds its place taken or given up.
  private void requireHere(Request request) {
    if (rpc.membership().isGone(request.from())) {
      throw new IllegalArgumentException(
          rpc.self() + " has lost " + request.from().info() + " before; start that worker anew");
    }
  }

  private void refuse(Request request, IllegalArgumentException error) {
    ForkId names = request.result();
    if (names != null) {
      rpc.references().create(names, request.from()).value().tryFail(error);
    }
    send(request, new Answer(Outcome.REFUSED, null, failure(error)));
  }

  private static Failure forgotten() {
    return new Failure(
        IllegalStateException.class.getName(), "it has run, but its answer is no longer kept", "");
  }

  private static Failure failure(Throwable error) {
    StringWriter stack = new StringWriter();
    error.printStackTrace(new PrintWriter(stack));
    String message = error.getMessage();
    return new Failure(
        error.getClass().getName(), message == null ? "" : message, stack.toString());
  }

  /// How a call ended here.
  private record Answer(
      Outcome outcome, Codec.@Nullable Encoded result, @Nullable Failure failure) {}

  private Frame send(Request request, Answer answer) {
    long life = rpc.member().sender().incarnation();
    Codec.Encoded result = answer.result();
    Response response =
        new Response(
            request.call(),
            life,
            answer.outcome(),
            result != null && result.mayWait(),
            result == null ? null : result.payload(),
            answer.failure());
    Frame frame = response.toFrame();
    Shipment shipment = result == null ? Shipment.NONE : result.shipment();
    outlet
        .send(request.from(), frame)
        .onFailure(
            e -> {
              shipment.end();
              LOG.log(
                  Level.DEBUG, () -> "nobody took the answer of " + request.function() + ": " + e);
            });
    shipment.start();
    return frame;
  }

  /// One call that is admitted.
  private final class Run {
    private final ServedCall call;
    private final Request request;
    private final Function function;
    private @Nullable Recording recording;
    private @Nullable OwnedRRef<Object> place;
    private boolean hasBegun;

    private Run(ServedCall call, Request request, Function function) {
      this.call = call;
      this.request = request;
      this.function = function;
    }

    private void run() {
      if (Thread.currentThread().isVirtual()) { // no event loop is to be interrupted
        call.runsHere();
      }
      try {
        recording = Contexts.of(rpc).arriving(request.arguments().graph());
        ForkId names = request.result();
        place = names == null ? null : rpc.references().create(names, call.caller());
        Contexts.enter(recording);
        invoke();
      } catch (Throwable e) {
        finish(null, e);
      } finally {
        Contexts.enter(null);
      }
    }

    private void invoke() throws Throwable {
      @Nullable Object[] arguments = arguments();
      function.requireArity(arguments);
      hasBegun = true;
      Object result = function.invoke(arguments);
      if (!function.isAsync()) {
        finish(result, null);
      } else if (result instanceof Future<?> future) {
        call.awaitsFuture(() -> finish(null, new CancellationException("given up")));
        future.onComplete(done -> finish(done.result(), done.cause()));
      } else {
        throw new IllegalStateException(function.name() + " returned null; it must give a Future");
      }
    }

    /// Tensors that come beside the request come first: what they take of the lane, others wait
    /// for. Then the object: once references among the arguments are taken, the method must
    /// run, since only it can close them.
    private @Nullable Object[] arguments() {
      Payload sent = codec.complete(request.arguments(), call.caller(), call.remaining());
      GlobalId receiver = request.receiver();
      Object object = receiver == null ? null : rpc.references().awaitObject(receiver);
      @Nullable Object[] given =
          (@Nullable Object[])
              Objects.requireNonNull(
                  codec.decodeRequest(sent, call.caller(), recording, call.remaining()));
      if (receiver == null) {
        return given;
      }
      @Nullable Object[] all = new Object[given.length + 1];
      all[0] = object;
      System.arraycopy(given, 0, all, 1, given.length);
      return all;
    }

    /// Throws nothing: calls may wait for one future together, and Vert.x tells the next only if
    /// this one returns.
    private void finish(@Nullable Object result, @Nullable Throwable error) {
      if (!call.finish()) {
        return;
      }
      try {
        answerCaller(result, error);
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, request.function() + " cannot answer " + call.caller().info(), e);
      }
    }

    private void answerCaller(@Nullable Object result, @Nullable Throwable error) {
      if (nobodyTakesTheAnswer()) {
        if (place != null) {
          place.value().tryFail(new CancellationException(call.caller().info() + " has left"));
        }
        return;
      }
      Answer answer;
      try {
        answer = error == null ? answer(result) : answer(error);
      } catch (RuntimeException e) {
        answer = answer(e);
      }
      served.finish(call, send(request, answer));
    }

    /// Whoever says goodbye is gone for us, but waits for our word. What this worker gives up by
    /// leaving has not expired: the caller hears that it has left.
    private boolean nobodyTakesTheAnswer() {
      return (rpc.hasLeft() && call.isCancelled())
          || (!function.isControl() && rpc.membership().isGone(call.caller()));
    }

    private Answer answer(@Nullable Object result) {
      if (place != null) {
        place.value().tryComplete(result);
        return new Answer(Outcome.RESULT, nothing(), null);
      }
      Codec.Encoded encoded =
          codec.encodeAnswer(
              result, call.caller(), recording, Math.min(call.remaining(), LONGEST_FETCH_NANOS));
      rpc.references().answered(encoded.forks(), call.remaining());
      return new Answer(Outcome.RESULT, encoded, null);
    }

    /// An answer without a value still says whether this worker has a part of the context.
    private Codec.@Nullable Encoded nothing() {
      return recording == null
          ? null
          : codec.encodeAnswer(null, call.caller(), recording, call.remaining());
    }

    private void fail(OwnedRRef<Object> place, @Nullable Throwable error) {
      if (error != null) {
        place.value().tryFail(error);
      }
    }

    /// What users of the place are told, or null if the caller is this worker, which says why.
    private @Nullable Throwable givenUp() {
      return call.caller().equals(rpc.member().sender())
          ? null
          : new CancellationException(
              call.caller().info() + " gave up " + request.function() + ", which was to make it");
    }

    private Answer answer(Throwable error) {
      boolean isGivenUp = call.isCancelled() || call.remaining() < 0;
      if (place != null) {
        fail(place, isGivenUp ? givenUp() : error);
      }
      if (isGivenUp) {
        return new Answer(Outcome.EXPIRED, null, failure(error));
      }
      Level level = function.isControl() ? Level.DEBUG : Level.INFO;
      LOG.log(
          level, () -> request.function() + " failed for " + call.caller().info() + ": " + error);
      return new Answer(hasBegun ? Outcome.THREW : Outcome.REFUSED, null, failure(error));
    }
  }
}
