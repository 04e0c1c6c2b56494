// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.exchange;

import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.FrameHandlers;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.call.WorkerParts;
import dev.tensorbus.rpc.exchange.Responder.Answer;
import dev.tensorbus.rpc.graph.Recording;
import dev.tensorbus.rpc.reference.OwnedRRef;
import dev.tensorbus.rpc.reference.References;
import dev.tensorbus.rpc.serving.Functions;
import dev.tensorbus.rpc.serving.Functions.Function;
import dev.tensorbus.rpc.serving.ServedCall;
import dev.tensorbus.rpc.serving.ServedCalls;
import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import dev.tensorbus.rpc.thread.execution.PlatformThreads;
import dev.tensorbus.rpc.thread.execution.VirtualThreads;
import dev.tensorbus.rpc.wire.ForkId;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.GlobalId;
import dev.tensorbus.rpc.wire.Payload;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Cancel;
import dev.tensorbus.rpc.wire.message.Probe;
import dev.tensorbus.rpc.wire.message.Request;
import dev.tensorbus.rpc.wire.message.Response.Outcome;
import io.vertx.core.Future;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs the calls that others ask for, and answers them.
public final class CallExecutor {
  private static final String THREAD = "tensorbus-call";
  private static final System.Logger LOG = System.getLogger(CallExecutor.class.getName());

  /// A caller that is told of tensors fetches them at once, unless it has given the call up.
  private static final long LONGEST_FETCH_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final WorkerParts parts;
  private final Functions functions;
  private final Sender self;
  private final Peers peers;
  private final ServedCalls served;
  private final References references;
  private final PayloadCodec codec;
  private final Responder responder;
  private final CallEvents ended;
  private final BooleanSupplier hasLeft;

  /// @param parts what the calls find of this worker
  /// @param ended hears of each call that is over
  /// @param hasLeft whether this worker has left, as the others know or will hear
  public CallExecutor(
      WorkerParts parts,
      Functions functions,
      Peers peers,
      ServedCalls served,
      References references,
      PayloadCodec codec,
      Responder responder,
      CallEvents ended,
      BooleanSupplier hasLeft) {
    this.parts = parts;
    this.functions = functions;
    this.self = peers.self().sender();
    this.peers = peers;
    this.served = served;
    this.references = references;
    this.codec = codec;
    this.responder = responder;
    this.ended = ended;
    this.hasLeft = hasLeft;
  }

  /// Registers the handlers of requests, and of what their callers send about them later.
  public void register(FrameHandlers handlers) {
    handlers.on(Frame.Kind.REQUEST, (frame, node) -> take(handlers, frame, node));
    handlers.on(Frame.Kind.PROBE, Probe::from, this::take);
    handlers.on(
        Frame.Kind.CANCEL, Cancel::from, cancel -> served.cancel(cancel.from(), cancel.call()));
  }

  private void take(FrameHandlers handlers, Frame frame, String node) {
    Request request = frame.isSmall() ? Request.from(frame) : null;
    Request.Head head = request == null ? Request.Head.from(frame) : request.head();
    handlers.requireOrigin(head.from(), node, () -> take(frame, head, request));
  }

  /// Takes a request: it is run, waits for room, or is answered at once. Does not block; this
  /// thread, an event loop, runs only functions that allow it.
  ///
  /// @param request all of it, or null if another thread is to decode that
  private void take(Frame frame, Request.Head head, @Nullable Request request) {
    int bytes = frame.bytes().length;
    Run run = new Run(head, bytes, () -> request == null ? Request.from(frame) : request);
    ServedCall call = run.call;
    switch (served.admit(call)) {
      case RUN -> {
        if (request != null && mayRunHere(request)) {
          run.runHere();
        } else {
          served.start(call);
        }
      }
      case WAIT -> {} // it is started when there is room
      case BUSY -> run.end(send(head, Answer.busy(served.load())));
      case GONE -> refuse(head);
      case KNOWN -> acknowledge(head);
      case FORGOTTEN, ANSWERED -> answerAgain(head.from(), head.call());
    }
  }

  /// Lets a call that may come again do so no more. It waits or runs.
  private void acknowledge(Request.Head head) {
    LOG.log(Level.DEBUG, "{0} came again", head.function());
    if (head.mayRepeat()) {
      send(head, Answer.PENDING);
    }
  }

  /// Answers calls again that have ended.
  private void take(Probe probe) {
    for (long call : probe.calls()) {
      if (served.hasEnded(probe.from(), call)) {
        answerAgain(probe.from(), call);
      }
    }
  }

  private void answerAgain(Sender caller, long call) {
    Frame answer = served.answerOf(caller, call);
    if (answer == null) {
      responder.send(caller, call, Answer.forgotten());
    } else {
      responder.repeat(caller, answer);
    }
  }

  /// Whether an event loop may serve a request: the function allows it, and nothing must be waited
  /// for first.
  private boolean mayRunHere(Request request) {
    GlobalId receiver = request.head().receiver();
    return functions.allowsEventLoop(request.head().function())
        && !request.head().bringsReferences()
        && !request.arguments().isBeside()
        && (receiver == null || references.isMade(receiver));
  }

  /// A worker that was cut off and comes back finds its place taken or given up. It is told that it
  /// is lost, which ends its calls with the reason. An answer of this one could overtake that.
  private void refuse(Request.Head head) {
    peers.refuse(head.from());
    ForkId names = head.result();
    if (names != null) {
      IllegalArgumentException error =
          new IllegalArgumentException(
              self.info() + " has lost " + head.from().info() + " before; start that worker anew");
      references.create(names, head.from()).value().tryFail(error);
    }
  }

  private Frame send(Request.Head request, Answer answer) {
    return responder.send(request.from(), request.call(), answer);
  }

  /// One call.
  private final class Run implements ServedCall.Work {
    private final Request.Head head;
    private final ServedCall call;
    private @Nullable Supplier<Request> request;
    private @Nullable Recording recording;
    private @Nullable OwnedRRef<Object> place;
    private @Nullable CallContext context;
    private boolean hasBegun;

    /// @param bytes what the request keeps in memory
    /// @param request gives all of it
    private Run(Request.Head head, int bytes, Supplier<Request> request) {
      this.head = head;
      this.request = request;
      call = new ServedCall(head, functions.isControl(head.function()), bytes, this);
    }

    @Override
    public void start() {
      try {
        VirtualThreads.start(THREAD, this::runWhereItShould);
      } catch (RuntimeException | Error e) { // memory ran out
        call.finish();
        respond(null, e);
        throw e;
      }
    }

    @Override
    public void drop() {
      ForkId names = head.result();
      if (names == null) {
        return;
      }
      try {
        fail(references.create(names, call.caller()), givenUp());
      } catch (IllegalArgumentException e) { // nobody refers to it any more
        LOG.log(Level.DEBUG, () -> head.function() + " makes nothing: " + e.getMessage());
      }
    }

    /// Its class may have to be loaded before that is known, so no event loop finds out.
    private void runWhereItShould() {
      try {
        if (functions.needsPlatformThread(head.function())) {
          PlatformThreads.start(THREAD, this::runHere);
        } else {
          runHere();
        }
      } catch (Error e) { // memory ran out
        finish(null, e);
      }
    }

    private void runHere() {
      CallContext here = new CallContext(parts, call, ended.beginMethod(head));
      context = here;
      here.run(this::run);
    }

    private void run() {
      if (!ExecutionPolicy.isEventLoop()) { // which is not to be interrupted
        call.runsHere();
      }
      try {
        Request asked = takeRequest();
        recording = codec.recording(asked);
        ForkId names = head.result();
        place = names == null ? null : references.create(names, call.caller());
        boolean _ =
            Recording.call(
                recording,
                () -> {
                  invoke(asked);
                  return true;
                });
      } catch (Throwable e) {
        finish(null, e);
      }
    }

    /// It is garbage once its arguments are decoded, however long the method runs.
    private Request takeRequest() {
      Request asked = Objects.requireNonNull(request).get();
      request = null;
      return asked;
    }

    private void invoke(Request asked) throws Throwable {
      Function function = functions.find(head.function());
      @Nullable Object[] arguments = function.fit(arguments(asked.arguments()));
      hasBegun = true;
      Object result = ended.invoke(head, function, arguments);
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
    private @Nullable Object[] arguments(Payload came) {
      Payload sent = codec.complete(came, call.caller(), call.remaining());
      GlobalId receiver = head.receiver();
      Object object = receiver == null ? null : references.awaitObject(receiver);
      @Nullable Object[] given =
          (@Nullable Object[])
              Objects.requireNonNull(
                  codec.decodeRequest(
                      head.function(), sent, call.caller(), recording, call.remaining()));
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
        endSpan(error);
        end(respond(result, error));
      } catch (Throwable e) {
        LOG.log(Level.WARNING, "the answer of " + head.function() + " cannot be kept", e);
      }
    }

    /// Before the answer leaves, so that the caller's span is the last to end.
    private void endSpan(@Nullable Throwable error) {
      if (context != null) {
        context.endSpan(error);
      }
    }

    private void end(@Nullable Frame answer) {
      served.finish(call, answer);
      ended.served(head, answer, call.remaining());
    }

    /// The answer, or null if there is none. Throws nothing.
    private @Nullable Frame respond(@Nullable Object result, @Nullable Throwable error) {
      try {
        return answerCaller(result, error);
      } catch (Throwable e) {
        LOG.log(Level.WARNING, head.function() + " cannot answer " + call.caller().info(), e);
        return null;
      }
    }

    private @Nullable Frame answerCaller(@Nullable Object result, @Nullable Throwable error) {
      if (nobodyTakesTheAnswer()) {
        if (place != null) {
          place.value().tryFail(new CancellationException(call.caller().info() + " has left"));
        }
        return null;
      }
      try {
        return send(head, error == null ? answer(result) : answer(error));
      } catch (RuntimeException e) {
        return send(head, answer(e));
      } catch (Error e) {
        return send(head, Answer.withoutStack(e));
      }
    }

    /// A worker that says goodbye is gone for us, but it waits for our word. A call that this
    /// worker gives up by leaving has not expired: its caller hears that this worker has left.
    private boolean nobodyTakesTheAnswer() {
      return (hasLeft.getAsBoolean() && call.isCancelled())
          || (!call.isControl() && peers.isGone(call.caller()));
    }

    private Answer answer(@Nullable Object result) {
      if (place != null) {
        place.value().tryComplete(result);
        return new Answer(Outcome.RESULT, nothing(), null);
      }
      PayloadCodec.Encoded encoded =
          codec.encodeAnswer(
              head.function(),
              result,
              call.caller(),
              recording,
              Math.min(call.remaining(), LONGEST_FETCH_NANOS));
      codec.answered(encoded, call.remaining());
      return new Answer(Outcome.RESULT, encoded, null);
    }

    /// An answer without a value still says whether this worker has a part of the context.
    private PayloadCodec.@Nullable Encoded nothing() {
      return recording == null
          ? null
          : codec.encodeAnswer(head.function(), null, call.caller(), recording, call.remaining());
    }

    private void fail(OwnedRRef<Object> place, @Nullable Throwable error) {
      if (error != null) {
        place.value().tryFail(error);
      }
    }

    /// The error for users of the place, or null if the caller is this worker, which says why.
    private @Nullable Throwable givenUp() {
      return call.caller().equals(self)
          ? null
          : new CancellationException(
              call.caller().info() + " gave up " + head.function() + ", which was to make it");
    }

    private Answer answer(Throwable error) {
      boolean isGivenUp = call.isCancelled() || call.remaining() < 0;
      if (place != null) {
        fail(place, isGivenUp ? givenUp() : error);
      }
      if (isGivenUp) {
        return Answer.of(Outcome.EXPIRED, error);
      }
      Level level = call.isControl() ? Level.DEBUG : Level.INFO;
      LOG.log(level, () -> head.function() + " failed for " + call.caller().info() + ": " + error);
      return Answer.of(hasBegun ? Outcome.THREW : Outcome.REFUSED, error);
    }
  }
}
