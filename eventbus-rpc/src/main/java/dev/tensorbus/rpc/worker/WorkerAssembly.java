// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.call.ControlCalls;
import dev.tensorbus.rpc.call.WorkerParts;
import dev.tensorbus.rpc.call.caller.Transmitter;
import dev.tensorbus.rpc.collective.Collectives;
import dev.tensorbus.rpc.graph.AutogradCalls;
import dev.tensorbus.rpc.graph.Contexts;
import dev.tensorbus.rpc.observe.profiler.ProfilerTypes;
import dev.tensorbus.rpc.observe.trace.Tracing;
import dev.tensorbus.rpc.reference.References;
import dev.tensorbus.rpc.thread.Platform;
import dev.tensorbus.rpc.transport.Transport;
import dev.tensorbus.rpc.transport.Transport.Endpoint;
import dev.tensorbus.rpc.transport.bus.BusTransport;
import dev.tensorbus.rpc.world.membership.Introduction;
import dev.tensorbus.rpc.world.membership.Membership;
import dev.tensorbus.rpc.world.membership.MembershipListeners;
import dev.tensorbus.rpc.world.membership.Register;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// Assembles a worker from its components. No other class knows all components; each receives only
/// those that it needs. The handlers of control calls look up their component by type in
/// [WorkerParts].
public final class WorkerAssembly {
  private final WorkerBase base;
  private final WorkerParts parts = new WorkerParts();
  private final CallEngine engine;
  private final Collectives collectives;
  private final ShutdownBarrier barrier;
  private final Disconnection disconnection;
  private final ShutdownProtocol shutdown;
  private final MembershipListeners listeners;
  private final StatusSource status;
  private final StatusAnswers statusAnswers;
  private final EventBusRpc rpc;

  private WorkerAssembly(WorkerBase base) {
    this.base = base;
    engine = new CallEngine(base, parts);
    collectives =
        new Collectives(
            base.membership, engine.caller, base.options.isDynamic(), base.platform.clock());
    barrier = new ShutdownBarrier(base.membership, base.pending, engine.caller);
    disconnection =
        new Disconnection(
            base.membership,
            this::stop,
            base.platform.clock(),
            engine.caller,
            base.served,
            base.lanes);
    shutdown =
        new ShutdownProtocol(
            base.membership,
            base.pending,
            engine.caller,
            barrier,
            engine.references,
            disconnection,
            base.options,
            base.platform);
    listeners = new MembershipListeners(base.self().info(), shutdown::misses);
    DebugInfo info = info();
    status = new StatusSource(base, info, listeners);
    statusAnswers = new StatusAnswers(base, status);
    rpc = rpc(info);
    registerParts();
    hearOfOthers();
    base.platform.clock().every(Upkeep.PERIOD, upkeep());
    base.platform.clock().every(Transmitter.LONGEST_RETRY, engine.transmitter::probe);
  }

  private DebugInfo info() {
    return new DebugInfo(
        base.pending, base.served, engine.contexts, engine.references, base.lanes, base.transport);
  }

  private EventBusRpc rpc(DebugInfo info) {
    return new EventBusRpc(base, engine, parts, collectives, shutdown, listeners, info, status);
  }

  private Upkeep upkeep() {
    return new Upkeep(base.heartbeats, base.served, engine.references, engine.contexts, base.lanes);
  }

  /// Registers the components that remote calls look up, and the handlers of control calls.
  private void registerParts() {
    parts.add(Rpc.class, rpc);
    parts.add(Membership.class, base.membership);
    parts.add(References.class, engine.references);
    parts.add(Contexts.class, engine.contexts);
    parts.add(Tracing.class, engine.tracing);
    parts.add(Collectives.class, collectives);
    parts.add(ShutdownBarrier.class, barrier);
    parts.add(ShutdownProtocol.class, shutdown);
    parts.addControl(
        Introduction.class,
        References.class,
        AutogradCalls.class,
        Collectives.class,
        ShutdownBarrier.class,
        ShutdownProtocol.class,
        ProfilerTypes.HANDLER);
  }

  /// Registers the membership listeners of the components. They run in this order, followed by the
  /// listeners of users.
  private void hearOfOthers() {
    Membership world = base.membership;
    world.onArrival(newcomer -> collectives.workerJoined(newcomer.info()));
    world.onArrival(listeners::arrived);
    world.onDepartures(base.evictions(shutdown::hasEnded)::departed);
    world.onDeparture(
        gone -> engine.caller.workerLost(gone.member().sender(), gone.cause().verb()));
    world.onDeparture(gone -> base.served.workerLost(gone.member().sender()));
    world.onDeparture(gone -> base.transport.forget(gone.member().sender()));
    world.onDeparture(gone -> base.lanes.forget(gone.member().sender()));
    world.onDeparture(gone -> engine.references.workerLost(gone.member().sender()));
    world.onDeparture(gone -> engine.contexts.workerLost(gone.member().info()));
    world.onDeparture(gone -> barrier.workerLost(gone.member().info()));
    world.onDeparture(gone -> collectives.workerLost(gone.member().sender()));
    world.onDeparture(listeners::departed);
  }

  /// Implements [Rpc#open].
  public static Future<Rpc> open(Vertx vertx, String name, RpcOptions options) {
    return open(vertx, name, options, Platform.ofSystem(name), BusTransport::new);
  }

  /// Opens a worker with a given source of time, threads and random numbers, and a given transport,
  /// for example in a test.
  ///
  /// @param transports creates the worker's transport
  public static Future<Rpc> open(
      Vertx vertx,
      String name,
      RpcOptions options,
      Platform platform,
      Function<Endpoint, Transport> transports) {
    return platform
        .threads()
        .call(
            "tensorbus-open-" + name,
            () -> {
              WorkerAssembly worker =
                  new WorkerAssembly(new WorkerBase(vertx, name, options, platform, transports));
              try {
                return worker.join();
              } catch (RuntimeException e) {
                worker.disconnection.run().await();
                throw e;
              }
            });
  }

  /// Stops listening. The returned future waits only briefly for the cluster to remove the
  /// addresses, which it may be unable to confirm.
  private Future<?> stop() {
    return Future.join(base.transport.stop(), statusAnswers.stop())
        .timeout(Register.LEAVING.toMillis(), TimeUnit.MILLISECONDS)
        .otherwiseEmpty();
  }

  private Rpc join() {
    base.transport.start(engine.handlers::handle).await();
    statusAnswers.start().await();
    base.membership.join();
    new Introduction(base.member, base.membership, new ControlCalls(engine.caller)).send().await();
    return rpc;
  }
}
