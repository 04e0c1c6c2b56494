// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.LeakCheck;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.call.WorkerParts;
import dev.tensorbus.rpc.collective.Collectives;
import dev.tensorbus.rpc.exchange.CallEvents;
import dev.tensorbus.rpc.exchange.CallExecutor;
import dev.tensorbus.rpc.exchange.Caller;
import dev.tensorbus.rpc.exchange.Dispatcher;
import dev.tensorbus.rpc.exchange.Exchange;
import dev.tensorbus.rpc.exchange.GraphTransport;
import dev.tensorbus.rpc.exchange.PayloadCodec;
import dev.tensorbus.rpc.exchange.Responder;
import dev.tensorbus.rpc.exchange.Transmitter;
import dev.tensorbus.rpc.graph.AutogradCalls;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.observe.profiler.Profiler;
import dev.tensorbus.rpc.observe.trace.Tracing;
import dev.tensorbus.rpc.reference.References;
import dev.tensorbus.rpc.serving.Functions;
import dev.tensorbus.rpc.thread.idle.SpinThenPark;
import dev.tensorbus.rpc.world.membership.Membership;
import java.time.Duration;
import java.util.Set;

/// The parts of a worker that exchange calls with others, with the references and the autograd
/// contexts that travel in calls.
final class CallEngine {
  /// The packages whose methods are control calls.
  private static final Set<Package> CONTROL =
      Set.of(
          ShutdownBarrier.class.getPackage(),
          Membership.class.getPackage(),
          References.class.getPackage(),
          Contexts.class.getPackage(),
          Collectives.class.getPackage(),
          Profiler.class.getPackage());

  final References references;
  final Contexts contexts;
  final GraphTransport transport;
  final Transmitter transmitter;
  final CallEvents ended;
  final Tracing tracing;
  final Caller caller;
  final Dispatcher dispatcher;

  /// @param parts the parts that the calls of others find
  CallEngine(WorkerBase base, WorkerParts parts) {
    LateCallSender calls = new LateCallSender();
    SpinThenPark waiting = base.strategies.forAnswers();
    Duration timeout = base.options.timeout();
    boolean keepsSites = base.options.leakCheck() != LeakCheck.OFF;
    references = new References(base.self(), calls, base.membership, timeout, keepsSites);
    transport = new GraphTransport(calls, base.membership, base.sender, waiting, timeout);
    Functions functions = Functions.ofApplication(CONTROL);
    tracing = new Tracing(base.loop, functions::isControl, CallContext::traceAround);
    WorkerInfo self = base.self().info();
    contexts = new Contexts(self, transport, new AutogradCalls(self, transport), tracing);
    PayloadCodec codec = new PayloadCodec(base.values, references, contexts, base.lanes);
    transmitter = new Transmitter(base.self(), base.pending, base.sender, base.clock);
    ended = new CallEvents(self.name(), functions::isControl, tracing);
    Exchange exchange = new Exchange(base.membership, base.pending, codec, transmitter, ended);
    caller = new Caller(exchange, waiting, timeout, base.loop);
    calls.handTo(caller);
    dispatcher = dispatcher(base, executor(base, parts, functions, codec), exchange);
  }

  private CallExecutor executor(
      WorkerBase base, WorkerParts parts, Functions functions, PayloadCodec codec) {
    return new CallExecutor(
        parts,
        functions,
        base.heartbeats,
        base.served,
        references,
        codec,
        new Responder(base.self(), base.sender),
        ended,
        base.clock::isStopped);
  }

  private Dispatcher dispatcher(WorkerBase base, CallExecutor executor, Exchange exchange) {
    return new Dispatcher(
        base.vertx,
        base.membership,
        executor,
        base.served,
        exchange,
        contexts,
        base.lanes,
        base.heartbeats,
        base.loop,
        base.strategies);
  }
}
