// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.ServiceLoader;

/// The extensions of a worker that [Rpc#run] starts.
record WorkerExtensions(List<WorkerExtension> extensions) {
  private static final System.Logger LOG = System.getLogger(WorkerExtensions.class.getName());

  /// Returns new extensions, one for each service.
  static WorkerExtensions load() {
    return new WorkerExtensions(
        ServiceLoader.load(WorkerExtension.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }

  /// Starts all of them. Blocks.
  void start(Rpc rpc) {
    for (WorkerExtension extension : extensions) {
      Promise<Object> started = Promise.promise();
      rpc.vertx().runOnContext(v -> start(extension, rpc).onComplete(started));
      started.future().await();
    }
  }

  private static Future<Object> start(WorkerExtension extension, Rpc rpc) {
    try {
      return extension.start(rpc).mapEmpty();
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  /// Stops all of them. Blocks.
  void stop() {
    Future.join(extensions.stream().map(WorkerExtension::stop).toList()).await();
  }

  /// Stops all of them after a failure. Blocks. Errors are only logged, so that they do not hide
  /// the failure.
  void abort() {
    for (WorkerExtension extension : extensions) {
      try {
        extension.abort().await();
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "an extension failed to stop: " + extension, e);
      }
    }
  }
}
