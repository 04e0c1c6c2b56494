// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.grpc.gateway.Exports;
import dev.tensorbus.grpc.gateway.GrpcGateway;
import dev.tensorbus.grpc.gateway.WorkerState;
import dev.tensorbus.grpc.gateway.server.GatewayOptions;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerExtension;
import io.vertx.core.Future;
import org.jspecify.annotations.Nullable;

/// Serves gRPC callers outside the world. They can call the [Exports] that the worker has put into
/// [WorkerObjects], by default [WorkerState]. The open [GrpcGateway] is put there, too.
public final class GatewayExtension implements WorkerExtension {
  private final GatewayOptions options;
  private volatile @Nullable GrpcGateway gateway;

  /// Creates a gateway with these options.
  public GatewayExtension(GatewayOptions options) {
    this.options = options;
  }

  /// Opens the gateway of a user's own program. The options are those of `tensorbus run`, such as
  /// `--grpc-port`, or environment variables, such as `TENSORBUS_GRPC_PORT`. The default port is
  /// 50051. The gateway closes with the worker's Vertx.
  ///
  /// ```java
  /// GatewayExtension.open(rpc, Exports.of(Main.class).with(model)).await();
  /// ```
  ///
  /// Call it on the worker that serves the model, at most once.
  ///
  /// @throws UsageException if a variable has an invalid value
  public static Future<GrpcGateway> open(Rpc rpc, Exports exports) {
    return open(rpc, GatewaySettings.from(System.getenv()), exports);
  }

  private static Future<GrpcGateway> open(Rpc rpc, GatewayOptions options, Exports exports) {
    return GrpcGateway.open(rpc, options, exports)
        .onSuccess(opened -> WorkerObjects.put(rpc, GrpcGateway.class, opened));
  }

  @Override
  public Future<?> start(Rpc rpc) {
    Exports exports =
        WorkerObjects.find(rpc, Exports.class).orElseGet(() -> Exports.of(WorkerState.class));
    return open(rpc, options, exports).onSuccess(opened -> gateway = opened);
  }

  @Override
  public Future<?> stop() {
    GrpcGateway opened = gateway;
    return opened == null ? Future.succeededFuture() : opened.close();
  }
}
