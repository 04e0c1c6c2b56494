// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.Callable;

/// Starts threads, those of the JVM ([#system]) or those of a simulation. No other class starts
/// one.
///
/// Each thread has a name. None keeps the JVM alive. What a body throws ends its thread and is
/// logged as an error.
public interface Threads {
  /// Returns the threads of the JVM.
  static Threads system() {
    return SystemThreads.INSTANCE;
  }

  /// Starts a virtual thread, for work that waits.
  Thread start(String name, Runnable body);

  /// Starts a thread of the operating system, for work that keeps a core busy for milliseconds.
  ///
  /// The carrier of a virtual thread would use up its share of the cores by such work. The next
  /// call that it carries would then have to let all other threads go first.
  Thread startPlatform(String name, Runnable body);

  /// Runs `body` on a virtual thread and returns its result.
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

  /// Runs `body` on a virtual thread and returns when it has ended.
  default Future<Void> run(String name, Runnable body) {
    return call(
        name,
        () -> {
          body.run();
          return null;
        });
  }
}
