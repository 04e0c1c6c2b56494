// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import dev.tensorbus.grpc.gateway.server.GatewayOptions.Limits;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusExceptions;
import io.vertx.core.http.HttpServerRequest;

/// The calls that run at once, and the memory that they hold of what has come for them.
public final class Admission {
  private final Limits limits;
  private final DynamicThresholds calls;
  private final DynamicThresholds bytes;
  private final SilentCalls silent = new SilentCalls();
  private final IdleConnections connections;

  /// Admits calls within these limits.
  ///
  /// @param connections those of the server
  public Admission(Limits limits, IdleConnections connections) {
    this.limits = limits;
    this.connections = connections;
    this.calls = new DynamicThresholds(limits.calls());
    this.bytes = new DynamicThresholds(limits.memoryBytes());
  }

  /// Lets a call in.
  ///
  /// @return its place, which it closes at its end
  /// @throws GrpcStatusException if there is none for another call
  ///     of this caller
  public AdmittedCall enter(HttpServerRequest request) {
    DynamicThresholds.Peer peer = DynamicThresholds.Peer.of(request);
    if (!calls.take(peer, 1) && !takeFromSilent(peer)) {
      throw busy();
    }
    connections.begin(request.connection());
    AdmittedCall call =
        new AdmittedCall(
            limits, peer, calls, bytes, silent, () -> connections.end(request.connection()));
    silent.add(call);
    return call;
  }

  private boolean takeFromSilent(DynamicThresholds.Peer peer) {
    AdmittedCall longest = silent.takeFor(peer);
    if (longest == null) {
      return false;
    }
    longest.evict(busy());
    return calls.take(peer, 1);
  }

  private GrpcStatusException busy() {
    return GrpcStatusExceptions.busy(
        ("the gateway has no room for another call of this client; it takes %d at once"
                + " (--grpc-calls), and a connection as many as are left for others; call later")
            .formatted(limits.calls()));
  }
}
