// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/// Something beside a worker's own work that starts and ends with the worker, such as the gRPC
/// gateway: see [RpcWorker#attach].
public interface WorkerExtension {
  /// Starts, on the worker's event loop, once others can call the worker and [WorkerObjects] has
  /// the worker's objects. A failure ends the worker.
  Future<?> start(Vertx vertx, Rpc rpc);

  /// Ends, after the work and before a worker that is undeployed leaves its world. Does nothing if
  /// it has not started.
  Future<?> stop();
}
