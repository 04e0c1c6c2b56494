// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.concurrent.Callable;

/// Starts threads, either of the JVM ([#system]) or of a simulation. No thread is started in any
/// other way.
///
/// Each thread has a name, and none keeps the JVM alive. An exception thrown by a body ends the
/// thread and is logged as an error.
public interface Threads {
  /// Returns the instance that starts threads of the JVM.
  static Threads system() {
    return SystemThreads.INSTANCE;
  }

  /// Starts a virtual thread, for work that waits.
  Thread start(String name, Runnable body);

  /// Starts a platform thread, for work that keeps a core busy for milliseconds.
  ///
  /// On a virtual thread, such work would use up the time slice of its carrier thread. The next
  /// call on that carrier would have to wait until the machine's other threads have had theirs.
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
          promise.complete(result); // outside the `try`, since a listener may throw here
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
