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

/// Runs calls from other workers and answers them.
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

  /// @param parts the worker's components, which calls look up
  /// @param ended is notified of each call that has ended
  /// @param clock the worker's clock, which is stopped once the worker has left
  public CallExecutor(
      WorkerParts parts,
      Functions functions,
      IncomingCalls served,
      Attachments attachments,
      PayloadCodec codec,
      Responder responder,
      CallEvents ended,
      Clock clock) {
    this.parts = parts;
    this.functions = functions;
    this.peers = responder.peers();
    this.self = peers.self().sender();
    this.served = served;
    this.attachments = attachments;
    this.codec = codec;
    this.responder = responder;
    this.ended = ended;
    this.clock = clock;
  }

  /// Registers the handlers for requests, probes and cancel messages.
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

  /// Runs a request, queues it, or answers it immediately. Does not block: this thread is an event
  /// loop and runs only functions that allow an event loop.
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
      case WAIT -> {} // it is started when a slot is free
      case BUSY -> run.end(send(head, Answer.busy(served.load())));
      case GONE -> run.refuse();
      case KNOWN -> acknowledge(head);
      case FORGOTTEN, ANSWERED -> answerAgain(head.from(), head.call());
    }
  }

  /// Acknowledges a repeated request whose call is queued or running, so that the caller stops
  /// repeating it.
  private void acknowledge(Request.Head head) {
    LOG.log(Level.DEBUG, "{0} arrived again", head.function());
    if (head.mayRepeat()) {
      send(head, Answer.PENDING);
    }
  }

  /// Repeats the answers to all probed calls that have ended.
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

    /// The error in the attachments, or null.
    private @Nullable WireException unreadable;

    private boolean hasBegun;

    /// @param bytes the size of the request in memory
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

    /// Returns whether an event loop may serve the call: the function allows it, and its arguments
    /// are available without waiting.
    private boolean mayRunHere(Request asked) {
      return functions.allowsEventLoop(head.function())
          && !asked.arguments().isBeside()
          && !attached.mayBlock();
    }

    /// Rejects a call of a worker that was declared lost and has reconnected. The worker is
    /// notified that it was declared lost, and all its calls then fail for that reason. This call
    /// is not answered, since the answer could arrive before the notification.
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
      } catch (RuntimeException | Error e) { // including OutOfMemoryError
        call.finish();
        respond(null, e);
        throw e;
      }
    }

    @Override
    public void drop() {
      attached.giveUp();
    }

    /// Runs the call on the kind of thread that the function needs. Must not run on an event loop,
    /// because it may load the function's class.
    private void runWhereItShould() {
      try {
        if (functions.needsPlatformThread(head.function())) {
          Threads.system().startPlatform(THREAD, this::runHere);
        } else {
          runHere();
        }
      } catch (Error e) { // for example, memory ran out
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
      if (!ExecutionPolicy.isEventLoop()) { // an event loop must not be interrupted
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

    /// Returns the request and drops the reference to it, so that it can be collected while the
    /// method runs.
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
        throw new IllegalStateException(
            function.name() + " must return a Future, but returned null");
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

    /// Fetches the tensors that were sent separately, which frees their lane space for other
    /// transfers, and then decodes the arguments.
    private @Nullable Object[] arguments(Payload came) {
      Payload sent = codec.complete(came, call.caller(), call.remaining());
      return codec.decodeRequest(sent, attached, call.caller(), call.remaining());
    }

    /// Ends the call. Throws nothing: several calls may wait for one future, and Vert.x notifies
    /// the next call only if this method returns normally.
    private void finish(@Nullable Object result, @Nullable Throwable error) {
      if (!call.finish()) {
        return;
      }
      try {
        attached.ended(error);
        end(respond(result, error));
      } catch (Throwable e) {
        LOG.log(Level.WARNING, "the answer of " + head.function() + " cannot be stored", e);
      }
    }

    private void end(@Nullable Frame answer) {
      served.finish(call, answer);
      ended.served(head, answer, call.remaining());
    }

    /// Sends the answer and returns it, or null if none could be sent. Throws nothing.
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

    /// Returns whether to send no answer, because the caller is gone or this worker has left and
    /// thereby cancelled the call. A caller that was declared dead still waits for answers to its
    /// control calls. When this worker leaves, its callers are notified; an answer would tell them
    /// that the call expired.
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
