// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import dev.tensorbus.grpc.gateway.server.GatewayOptions.Limits;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusException;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusExceptions;
import dev.tensorbus.rpc.transport.listen.IdleConnections;
import io.vertx.core.http.HttpServerRequest;

/// Admission control: limits the number of concurrent calls and the memory for the data that they
/// receive.
@SuppressWarnings("exports") // `IdleConnections` is exported only to our modules
public final class Admission {
  private final Limits limits;
  private final DynamicThresholds calls;
  private final DynamicThresholds bytes;
  private final SilentCalls silent = new SilentCalls();
  private final IdleConnections connections;

  /// Creates an admission control with these limits.
  ///
  /// @param connections the server's connections
  public Admission(Limits limits, IdleConnections connections) {
    this.limits = limits;
    this.connections = connections;
    this.calls = new DynamicThresholds(limits.calls());
    this.bytes = new DynamicThresholds(limits.memoryBytes());
  }

  /// Admits a call.
  ///
  /// @return the admitted call, which must be closed when it ends
  /// @throws GrpcStatusException if there is no capacity for another call from this client
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
        ("the gateway has no capacity for another call of this client; it serves %d concurrently"
                + " (--grpc-calls), and a connection at most as many as remain free; retry later")
            .formatted(limits.calls()));
  }
}
