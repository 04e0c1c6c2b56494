// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.log;

import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerExtension;
import io.vertx.core.Future;

/// Puts the worker's name into the log lines of its process. Only for processes with a single
/// worker.
public final class LogsExtension implements WorkerExtension {
  /// Creates the extension of one worker.
  public LogsExtension() {}

  @Override
  public Future<?> start(Rpc rpc) {
    Logs.worker(rpc.self().name());
    return Future.succeededFuture();
  }

  @Override
  public Future<?> stop() {
    return Future.succeededFuture();
  }
}
