// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.eventbus;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.Callable;

/// Where blocking is allowed: virtual threads, and those that are not Vert.x's own.
final class VirtualThreads {
  private VirtualThreads() {}

  /// Runs `body` on a virtual thread of its own.
  static <T> Future<T> call(String name, Callable<T> body) {
    Promise<T> promise = Promise.promise();
    Thread.ofVirtual()
        .name(name)
        .start(
            () -> {
              try {
                promise.complete(body.call());
              } catch (Exception | Error e) {
                promise.fail(e);
              }
            });
    return promise.future();
  }

  /// Runs `body` on a virtual thread of its own.
  static Future<Void> run(String name, Runnable body) {
    return call(
        name,
        () -> {
          body.run();
          return null;
        });
  }

  /// Waits for a result.
  ///
  /// @throws IllegalStateException on an event loop or a worker thread, which must not wait
  static <T> T await(Future<T> future) {
    if (Context.isOnEventLoopThread() || Context.isOnWorkerThread()) {
      throw new IllegalStateException(
          "this would block "
              + Thread.currentThread().getName()
              + "; call rpcAsync here, or deploy the verticle with ThreadingModel.VIRTUAL_THREAD");
    }
    return future.await();
  }
}
