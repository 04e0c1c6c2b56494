// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import dev.tensorbus.rpc.RpcTimeoutException;
import dev.tensorbus.rpc.thread.Threads;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Starts virtual threads, and waits for futures on threads that may wait.
public final class VirtualThreads {
  private VirtualThreads() {}

  /// Runs `body` on a new virtual thread.
  public static void start(String name, Runnable body) {
    Threads.system().start(name, body);
  }

  /// Runs `body` on a new virtual thread and returns a future of its result.
  public static <T> Future<T> call(String name, Callable<T> body) {
    return Threads.system().call(name, body);
  }

  /// Runs `body` on a new virtual thread and returns a future of its completion.
  public static Future<Void> run(String name, Runnable body) {
    return Threads.system().run(name, body);
  }

  /// Waits for a result.
  ///
  /// @throws IllegalStateException on an event loop or a worker thread, which must not wait
  /// @throws CancellationException if this thread is interrupted; its interrupt status stays set
  public static <T> T await(Future<T> future) {
    ExecutionPolicy.requireMayBlock();
    return interruptibly(future::await);
  }

  /// Waits for a result with a timeout.
  ///
  /// @throws RpcTimeoutException with the text of `late` if it takes longer
  public static <T> T await(Future<T> future, Duration limit, Supplier<String> late) {
    ExecutionPolicy.requireMayBlock();
    return interruptibly(
        () -> {
          try {
            return future.await(limit.toNanos(), TimeUnit.NANOSECONDS);
          } catch (TimeoutException e) {
            throw new RpcTimeoutException(late.get());
          }
        });
  }

  /// A future's await throws [InterruptedException] without declaring it.
  private static <T> T interruptibly(Supplier<T> wait) {
    try {
      return wait.get();
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
        CancellationException cancelled =
            new CancellationException("interrupted while waiting for an answer");
        cancelled.initCause(e);
        throw cancelled;
      }
      throw e;
    }
  }
}
