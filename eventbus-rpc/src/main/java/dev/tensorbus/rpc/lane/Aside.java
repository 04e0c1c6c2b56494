// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Does what keeps a core busy for milliseconds on a thread of the system's of its own.
///
/// A carrier of virtual threads would have used up its share of the cores by it, and whatever
/// call it carries next would have to let all others go first.
final class Aside {
  private Aside() {}

  /// Does it there and waits for it. Who interrupts this thread interrupts that one.
  static <T> T call(Supplier<T> work) {
    FutureTask<T> task = new FutureTask<>(work::get);
    Thread thread = Thread.ofPlatform().daemon().name("tensorbus-lane").start(task);
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
