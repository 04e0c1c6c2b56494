// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.rpc.RpcOptions;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.call.Peers;
import dev.tensorbus.rpc.call.callee.IncomingCalls;
import dev.tensorbus.rpc.call.caller.PendingCalls;
import dev.tensorbus.rpc.reference.References;
import dev.tensorbus.rpc.thread.Platform;
import dev.tensorbus.rpc.thread.idle.IdleStrategies;
import dev.tensorbus.rpc.thread.time.Clock;
import dev.tensorbus.rpc.transport.Transport;
import dev.tensorbus.rpc.transport.Transport.Endpoint;
import dev.tensorbus.rpc.transport.lane.Lanes;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.value.ValueCodec;
import dev.tensorbus.rpc.world.membership.ClusterNode;
import dev.tensorbus.rpc.world.membership.EvictionDetector;
import dev.tensorbus.rpc.world.membership.FailureDetector;
import dev.tensorbus.rpc.world.membership.HeartbeatMonitor;
import dev.tensorbus.rpc.world.membership.Member;
import dev.tensorbus.rpc.world.membership.Membership;
import dev.tensorbus.rpc.world.membership.WorldPeers;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/// The components of a worker that make no calls: its membership, its connections to other workers,
/// and its tables of calls. [WorkerAssembly] builds the other components on top of these.
final class WorkerBase {
  final Vertx vertx;
  final RpcOptions options;
  final Platform platform;
  final ValueCodec values = new ValueCodec(References.TYPES);
  final Member member;
  final Membership membership;
  final PendingCalls pending;
  final IncomingCalls served;
  final Transport transport;
  final FailureDetector detector;
  final Peers peers;
  final HeartbeatMonitor heartbeats;
  final IdleStrategies strategies;
  final Lanes lanes;

  /// A separate event loop. In a virtual-thread or worker verticle, a consumer on the verticle's
  /// context would handle messages one after another, so a call back to a waiting caller would
  /// never end.
  final ContextInternal loop;

  WorkerBase(
      Vertx vertx,
      String name,
      RpcOptions options,
      Platform platform,
      Function<Endpoint, Transport> transports) {
    this.vertx = vertx;
    this.options = options;
    this.platform = platform;
    Clock clock = platform.clock();
    ClusterNode host = ClusterNode.of(vertx);
    Sender self = new Sender(new WorkerInfo(name, options.rank()), platform.random().nextLong());
    member = Member.of(self, host.node(), options, values.schemas());
    membership = new Membership(vertx, host, member, options, platform);
    pending = new PendingCalls(name, clock, membership::isGone, membership::requireWorld);
    served = new IncomingCalls(options.maxCalls(), membership::isGone);
    loop = ((VertxInternal) vertx).createEventLoopContext();
    strategies = new IdleStrategies(options.idleStrategy(), clock);
    transport =
        transports.apply(new Endpoint(self, host.node(), loop, strategies, membership::isGone));
    detector = new FailureDetector(options.heartbeatTimeout(), Upkeep.PERIOD);
    peers = new WorldPeers(membership, transport, detector);
    heartbeats = new HeartbeatMonitor(membership, peers, pending, served, detector, clock);
    lanes = new Lanes(options, peers, host::address, host.certificates(), strategies);
  }

  /// @param hasEnded returns whether nothing more is expected of the other workers
  EvictionDetector evictions(BooleanSupplier hasEnded) {
    return new EvictionDetector(
        membership, pending, options.heartbeatTimeout(), platform.clock(), hasEnded);
  }

  Sender self() {
    return member.sender();
  }
}
