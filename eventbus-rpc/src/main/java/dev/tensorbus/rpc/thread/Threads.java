// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.Callable;

/// Starts threads, those of the JVM ([#system]) or those of a simulation. No other class starts
/// threads.
///
/// Each thread has a name. None keeps the JVM alive. An exception of a body ends its thread and is
/// logged as an error.
public interface Threads {
  /// Returns the threads of the JVM.
  static Threads system() {
    return SystemThreads.INSTANCE;
  }

  /// Starts a virtual thread, for work that waits.
  Thread start(String name, Runnable body);

  /// Starts a platform thread, for work that keeps a core busy for milliseconds.
  ///
  /// On a virtual thread, such work would use up its carrier's share of the cores. The next call on
  /// that carrier would then have to wait for all other threads.
  Thread startPlatform(String name, Runnable body);

  /// Runs `body` on a virtual thread and returns a future of its result.
  default <T> Future<T> call(String name, Callable<T> body) {
    Promise<T> promise = Promise.promise();
    start(
        name,
        () -> {
          T result;
          try {
            result = body.call();
          } catch (Exception | Error e) {
            promise.fail(e);
            return;
          }
          promise.complete(result); // an error of a listener, which runs here, is not one of `body`
        });
    return promise.future();
  }

  /// Runs `body` on a virtual thread and returns a future that completes when it has ended.
  default Future<Void> run(String name, Runnable body) {
    return call(
        name,
        () -> {
          body.run();
          return null;
        });
  }
}
