// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import dev.tensorbus.rpc.WireException;
import dev.tensorbus.rpc.call.Attachments;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.CallEvents;
import dev.tensorbus.rpc.call.FrameHandlers;
import dev.tensorbus.rpc.call.PayloadCodec;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.call.ReceivedAttachments;
import dev.tensorbus.rpc.call.WorkerParts;
import dev.tensorbus.rpc.call.callee.Functions.Function;
import dev.tensorbus.rpc.call.callee.Responder.Answer;
import dev.tensorbus.rpc.jfr.MethodEvent;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.wire.Frame;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs the calls of other workers, and answers them.
public final class CallExecutor {
  private static final String THREAD = "tensorbus-call";
  private static final System.Logger LOG = System.getLogger(CallExecutor.class.getName());

  private final WorkerParts parts;
  private final Functions functions;
  private final Sender self;
  private final Peers peers;
  private final IncomingCalls served;
  private final Attachments attachments;
  private final PayloadCodec codec;
  private final Responder responder;
  private final CallEvents ended;
  private final Clock clock;

  /// @param parts the worker's parts that calls look up
  /// @param ended is notified of each call that is over
  /// @param clock stopped once this worker has left
  public CallExecutor(
      WorkerParts parts,
      Functions functions,
      Peers peers,
      IncomingCalls served,
      Attachments attachments,
      PayloadCodec codec,
      Responder responder,
      CallEvents ended,
      Clock clock) {
    this.parts = parts;
    this.functions = functions;
    this.self = peers.self().sender();
    this.peers = peers;
    this.served = served;
    this.attachments = attachments;
    this.codec = codec;
    this.responder = responder;
    this.ended = ended;
    this.clock = clock;
  }

  /// Registers the handlers of requests, and of their callers' later messages about them.
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

  /// Takes a request: it is run, queued, or answered at once. Does not block; this thread, an event
  /// loop, runs only functions that allow it.
  ///
  /// @param request the decoded request, or null if another thread has to decode it
  private void take(Frame frame, Request.Head head, @Nullable Request request) {
    int bytes = frame.bytes().length;
    Run run = new Run(head, bytes, () -> request == null ? Request.from(frame) : request);
    IncomingCall call = run.call;
    switch (served.admit(call)) {
      case RUN -> {
        if (request != null && run.mayRunHere(request)) {
          run.runHere();
        } else {
          served.start(call);
        }
      }
      case WAIT -> {} // it is started when there is room
      case BUSY -> run.end(send(head, Answer.busy(served.load())));
      case GONE -> run.refuse();
      case KNOWN -> acknowledge(head);
      case FORGOTTEN, ANSWERED -> answerAgain(head.from(), head.call());
    }
  }

  /// Acknowledges a repeated call that is queued or runs, so that it is not sent again.
  private void acknowledge(Request.Head head) {
    LOG.log(Level.DEBUG, "{0} arrived again", head.function());
    if (head.mayRepeat()) {
      send(head, Answer.PENDING);
    }
  }

  /// Sends the answers of ended calls again.
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

  private Frame send(Request.Head request, Answer answer) {
    return responder.send(request.from(), request.call(), answer);
  }

  /// A call being served.
  private final class Run implements IncomingCall.Work {
    private final Request.Head head;
    private final IncomingCall call;
    private @Nullable Supplier<Request> request;
    private ReceivedAttachments attached = ReceivedAttachments.NONE;

    /// The error of its attachments, or null.
    private @Nullable WireException unreadable;

    private boolean hasBegun;

    /// @param bytes the memory that the request takes
    /// @param request returns the whole request
    private Run(Request.Head head, int bytes, Supplier<Request> request) {
      this.head = head;
      this.request = request;
      call =
          new IncomingCall(
              new CallContext(parts, head, clock), parts.isControl(head.function()), bytes, this);
      try {
        attached = attachments.arrive(head.function(), head.from(), head.attached());
      } catch (WireException e) {
        unreadable = e;
      }
    }

    /// Returns whether an event loop may serve the call: the function allows it, and nothing has to
    /// be waited for first.
    private boolean mayRunHere(Request asked) {
      return functions.allowsEventLoop(head.function())
          && !asked.arguments().isBeside()
          && !attached.mayBlock();
    }

    /// A worker that was disconnected and comes back finds its rank taken or given up. It is told
    /// that it is lost, which ends its calls with the reason. An answer of this one could overtake
    /// that message.
    private void refuse() {
      peers.refuse(head.from());
      attached.fail(
          new IllegalArgumentException(
              self.info() + " has lost " + head.from().info() + " before; restart that worker"));
    }

    @Override
    public void start() {
      try {
        Threads.system().start(THREAD, this::runWhereItShould);
      } catch (RuntimeException | Error e) { // memory ran out
        call.finish();
        respond(null, e);
        throw e;
      }
    }

    @Override
    public void drop() {
      attached.giveUp();
    }

    /// Its class may have to be loaded to decide, so this does not run on an event loop.
    private void runWhereItShould() {
      try {
        if (functions.needsPlatformThread(head.function())) {
          Threads.system().startPlatform(THREAD, this::runHere);
        } else {
          runHere();
        }
      } catch (Error e) { // memory ran out
        finish(null, e);
      }
    }

    private void runHere() {
      try {
        CallContext.runIn(call.context(), () -> attached.run(this::run));
      } catch (RuntimeException e) { // an attachment cannot bind its values
        finish(null, e);
      }
    }

    private void run() {
      if (!ExecutionPolicy.isEventLoop()) { // which must not be interrupted
        call.runsHere();
      }
      try {
        if (unreadable != null) {
          throw unreadable;
        }
        Request asked = takeRequest();
        attached.begin();
        invoke(asked);
      } catch (Throwable e) {
        finish(null, e);
      }
    }

    /// Makes the request garbage once its arguments are decoded, however long the method runs.
    private Request takeRequest() {
      Request asked = Objects.requireNonNull(request).get();
      request = null;
      return asked;
    }

    private void invoke(Request asked) throws Throwable {
      Function function = functions.find(head.function());
      @Nullable Object[] arguments = function.fit(arguments(asked.arguments()));
      hasBegun = true;
      Object result = recorded(function, arguments);
      if (!function.isAsync()) {
        finish(result, null);
      } else if (result instanceof Future<?> future) {
        call.awaitsFuture(() -> finish(null, new CancellationException("cancelled")));
        future.onComplete(done -> finish(done.result(), done.cause()));
      } else {
        throw new IllegalStateException(function.name() + " returned null; it must give a Future");
      }
    }

    private @Nullable Object recorded(Function function, @Nullable Object[] arguments)
        throws Throwable {
      MethodEvent event = MethodEvent.begun();
      try {
        return function.invoke(arguments);
      } finally {
        ended.record(event, head);
      }
    }

    /// First the tensors that were sent beside the request, since others wait for the part of the
    /// lane that they occupy.
    private @Nullable Object[] arguments(Payload came) {
      Payload sent = codec.complete(came, call.caller(), call.remaining());
      return codec.decodeRequest(sent, attached, call.caller(), call.remaining());
    }

    /// Throws nothing: several calls may wait for one future, and Vert.x notifies the next one only
    /// if this method returns.
    private void finish(@Nullable Object result, @Nullable Throwable error) {
      if (!call.finish()) {
        return;
      }
      try {
        attached.ended(error);
        end(respond(result, error));
      } catch (Throwable e) {
        LOG.log(Level.WARNING, "the answer of " + head.function() + " cannot be kept", e);
      }
    }

    private void end(@Nullable Frame answer) {
      served.finish(call, answer);
      ended.served(head, answer, call.remaining());
    }

    /// Returns the answer, or null if there is none. Throws nothing.
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
        attached.fail(new CancellationException(call.caller().info() + " has left"));
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

    /// A worker that says goodbye is gone, but waits for the answer. A call that is abandoned
    /// because this worker leaves has not expired: its caller learns that this worker has left.
    private boolean nobodyTakesTheAnswer() {
      return (clock.isStopped() && call.isCancelled())
          || (!call.isControl() && peers.isGone(call.caller()));
    }

    private Answer answer(@Nullable Object result) {
      PayloadCodec.Encoded encoded =
          codec.encodeAnswer(
              head.function(), attached.result(result), attached, call.caller(), call.remaining());
      return new Answer(Outcome.RESULT, encoded, null);
    }

    private Answer answer(Throwable error) {
      if (call.isCancelled() || call.remaining() < 0) {
        attached.giveUp();
        return Answer.of(Outcome.EXPIRED, error);
      }
      attached.fail(error);
      Level level = call.isControl() ? Level.DEBUG : Level.INFO;
      LOG.log(level, () -> head.function() + " failed for " + call.caller().info() + ": " + error);
      return Answer.of(hasBegun ? Outcome.THREW : Outcome.REFUSED, error);
    }
  }
}
