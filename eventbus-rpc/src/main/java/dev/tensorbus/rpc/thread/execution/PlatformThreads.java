// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import dev.tensorbus.rpc.thread.Threads;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs work that keeps a core busy for milliseconds on a platform thread.
///
/// [Threads#startPlatform] explains why such work does not run on a virtual thread.
public final class PlatformThreads {
  private PlatformThreads() {}

  /// Runs the work on a new thread and waits for it. If this thread is interrupted, it interrupts
  /// the new thread and continues to wait.
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
