// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles;

import dev.tensorbus.rpc.Rpc;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/// A part of a worker beside its work, such as the gRPC gateway, that starts and stops with the
/// worker: see [RpcWorker#attach].
public interface WorkerExtension {
  /// Starts on the worker's event loop, once others can call the worker and [WorkerObjects] has its
  /// objects. A failure ends the worker.
  Future<?> start(Vertx vertx, Rpc rpc);

  /// Stops after the work or, if the worker is undeployed, before it leaves its world. Does nothing
  /// if the extension has not started.
  Future<?> stop();
}
