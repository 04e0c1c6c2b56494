// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.server;

import dev.tensorbus.grpc.gateway.server.GatewayOptions.Limits;
import dev.tensorbus.grpc.gateway.wire.GrpcStatusExceptions;
import io.vertx.core.http.HttpServerRequest;

/// The calls that run at once, and the memory that they hold of what has come for them.
public final class Admission {
  private final Limits limits;
  private final DynamicThresholds calls;
  private final DynamicThresholds bytes;

  /// Admits calls within these limits.
  public Admission(Limits limits) {
    this.limits = limits;
    this.calls = new DynamicThresholds(limits.calls());
    this.bytes = new DynamicThresholds(limits.memoryBytes());
  }

  /// Lets a call in.
  ///
  /// @return its place, which it closes at its end
  /// @throws dev.tensorbus.grpc.gateway.wire.GrpcStatusException if there is none for another call
  ///     of this caller
  public AdmittedCall enter(HttpServerRequest request) {
    DynamicThresholds.Peer peer = DynamicThresholds.Peer.of(request);
    if (!calls.take(peer, 1)) {
      throw GrpcStatusExceptions.busy(
          ("the gateway has no room for another call of this client; it takes %d at once"
                  + " (--grpc-calls), and a connection as many as are left for others; call later")
              .formatted(limits.calls()));
    }
    return new AdmittedCall(limits, peer, calls, bytes);
  }
}
