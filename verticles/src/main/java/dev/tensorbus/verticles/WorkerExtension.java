// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/// A service that runs beside a worker's own work, such as the gRPC gateway. It starts and stops
/// with the worker; see [RpcWorker#attach].
public interface WorkerExtension {
  /// Starts this extension on the worker's event loop, once other workers can call the worker and
  /// its objects are in [WorkerObjects]. If it fails, the worker does not start.
  Future<?> start(Vertx vertx, Rpc rpc);

  /// Stops this extension when the world has ended or, if the worker is undeployed, before it
  /// leaves the world. Does nothing if the extension has not started.
  Future<?> stop();
}
