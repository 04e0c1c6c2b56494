// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Future;

/// A service that runs beside a worker's own work, such as metrics or the gRPC gateway. It starts
/// and stops with the worker.
///
/// [Rpc#run] starts all extensions that are named as services of this interface.
public interface WorkerExtension {
  /// Starts this extension on an event loop of [Rpc#vertx], once other workers can call the worker.
  /// If it fails, the worker does not start.
  Future<?> start(Rpc rpc);

  /// Stops this extension when the world has ended or, if the worker is undeployed, before it
  /// leaves the world. The process ends after the future has completed. Does nothing if the
  /// extension has not started.
  Future<?> stop();

  /// Stops this extension after the work of [Rpc#run] has failed. Unlike [#stop], it must not wait
  /// for the user, so that the process ends with the failure's exit code.
  default Future<?> abort() {
    return stop();
  }
}
