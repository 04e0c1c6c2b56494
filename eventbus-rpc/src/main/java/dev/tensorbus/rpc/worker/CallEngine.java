// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.Attachments;
import dev.tensorbus.rpc.call.CallEvents;
import dev.tensorbus.rpc.call.FrameHandlers;
import dev.tensorbus.rpc.call.PayloadCodec;
import dev.tensorbus.rpc.call.WorkerParts;
import dev.tensorbus.rpc.call.callee.CallExecutor;
import dev.tensorbus.rpc.call.callee.Functions;
import dev.tensorbus.rpc.call.callee.Responder;
import dev.tensorbus.rpc.call.caller.Caller;
import dev.tensorbus.rpc.call.caller.Exchange;
import dev.tensorbus.rpc.call.caller.Transmitter;
import dev.tensorbus.rpc.graph.AutogradCalls;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.graph.GraphAttachment;
import dev.tensorbus.rpc.graph.ModesAttachment;
import dev.tensorbus.rpc.graph.PassWait;
import dev.tensorbus.rpc.observe.trace.TraceAttachment;
import dev.tensorbus.rpc.observe.trace.Tracing;
import dev.tensorbus.rpc.reference.ReferenceAttachment;
import dev.tensorbus.rpc.reference.References;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.idle.SpinThenPark;
import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.wire.Frame;
import dev.tensorbus.rpc.wire.message.Heartbeat;
import dev.tensorbus.rpc.wire.message.LaneNote;
import dev.tensorbus.rpc.wire.message.Release;
import java.time.Duration;

/// The components of a worker that exchange calls with other workers, including the references and
/// autograd contexts that calls carry.
final class CallEngine {
  final References references;
  final Contexts contexts;
  final Transmitter transmitter;
  final CallEvents ended;
  final Tracing tracing;
  final Caller caller;
  final FrameHandlers handlers;
  private final Attachments attachments = new Attachments();

  /// @param parts the components that remote calls look up
  CallEngine(WorkerBase base, WorkerParts parts) {
    WorkerInfo self = base.self().info();
    Duration timeout = base.options.timeout();
    SpinThenPark waiting = base.strategies.forAnswers();
    Functions functions = Functions.ofApplication();
    PayloadCodec codec = new PayloadCodec(base.values, base.lanes);
    transmitter = new Transmitter(base.peers, base.pending, base.platform.clock());
    ended = new CallEvents(self.name(), parts::isControl);
    Exchange exchange = new Exchange(base.peers, base.pending, codec, transmitter, ended);
    caller = new Caller(exchange, attachments, waiting, timeout, base.loop);
    Clock clock = base.platform.clock();
    references = new References(base.self(), caller, base.membership, base.options, clock);
    tracing = new Tracing(base.loop, parts::isControl);
    AutogradCalls passes = new AutogradCalls(self, caller);
    contexts = new Contexts(base.peers, passes, new PassWait(waiting, timeout), tracing, clock);
    attach();
    handlers = handlers(base, executor(base, parts, functions, codec), exchange);
  }

  /// Registers the attachments of calls. They bind their values in this order, the last one
  /// innermost.
  private void attach() {
    attachments.add(new ReferenceAttachment(references));
    attachments.add(new TraceAttachment(tracing));
    attachments.add(new ModesAttachment());
    attachments.add(new GraphAttachment(contexts));
  }

  private CallExecutor executor(
      WorkerBase base, WorkerParts parts, Functions functions, PayloadCodec codec) {
    return new CallExecutor(
        parts,
        functions,
        base.served,
        attachments,
        codec,
        new Responder(base.peers),
        ended,
        base.platform.clock());
  }

  private FrameHandlers handlers(WorkerBase base, CallExecutor executor, Exchange exchange) {
    FrameHandlers received =
        new FrameHandlers(base.peers, task -> base.loop.runOnContext(ignored -> task.run()));
    executor.register(received);
    received.on(Frame.Kind.RESPONSE, exchange::answered);
    received.on(Frame.Kind.RELEASE, Release::from, this::release);
    received.on(Frame.Kind.LANE, LaneNote::from, base.lanes::take);
    received.on(Frame.Kind.HEARTBEAT, Heartbeat::from, base.heartbeats::take);
    return received;
  }

  /// Releases contexts on a separate thread, since this may have to wait for a pass.
  private void release(Release release) {
    Threads.system()
        .start(
            "tensorbus-release",
            () -> contexts.releasedBy(release.from().info(), release.contexts()));
  }
}
