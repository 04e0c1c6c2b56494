// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import dev.tensorbus.rpc.thread.Threads;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs work that keeps a core busy for milliseconds on a thread of the operating system.
///
/// The carrier of a virtual thread would use up its share of the cores by such work. The next call
/// that it carries would then have to let all other threads go first.
public final class PlatformThreads {
  private PlatformThreads() {}

  /// Starts `body` on a thread of its own.
  public static void start(String name, Runnable body) {
    Threads.system().startPlatform(name, body);
  }

  /// Runs the work on a thread of its own and waits for it. An interrupt of this thread reaches
  /// that one.
  ///
  /// @param name the name of the thread
  public static <T> T call(String name, Supplier<T> work) {
    FutureTask<T> task = new FutureTask<>(work::get);
    Thread thread = Threads.system().startPlatform(name, task);
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          isInterrupted = true;
          thread.interrupt();
        }
      }
    } catch (ExecutionException e) {
      throw unchecked(e.getCause());
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException unchecked(@Nullable Throwable thrown) {
    return switch (thrown) {
      case Error error -> throw error;
      case RuntimeException exception -> exception;
      case null, default -> new IllegalStateException(thrown);
    };
  }
}
