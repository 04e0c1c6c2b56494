// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread;

import java.lang.System.Logger.Level;
import java.util.concurrent.ThreadFactory;

/// Starts threads of the JVM.
public final class SystemThreads implements Threads {
  private static final System.Logger LOG = System.getLogger(SystemThreads.class.getName());

  static final SystemThreads INSTANCE = new SystemThreads();

  private SystemThreads() {}

  @Override
  public Thread start(String name, Runnable body) {
    return guarded(Thread.ofVirtual().name(name)).start(body);
  }

  @Override
  public Thread startPlatform(String name, Runnable body) {
    return guarded(Thread.ofPlatform().daemon().name(name)).start(body);
  }

  /// Returns a factory of platform threads for an executor. The threads do not keep the JVM alive.
  public static ThreadFactory factory(String name) {
    return guarded(Thread.ofPlatform().daemon().name(name)).factory();
  }

  /// Runs `body` in a shutdown hook, concurrently with other hooks. The JVM waits for it to end.
  public static void atExit(String name, Runnable body) {
    Runtime.getRuntime().addShutdownHook(guarded(Thread.ofPlatform().name(name)).unstarted(body));
  }

  private static Thread.Builder guarded(Thread.Builder builder) {
    return builder.uncaughtExceptionHandler(
        (thread, error) ->
            LOG.log(Level.ERROR, () -> "thread " + thread.getName() + " ended by " + error, error));
  }
}
