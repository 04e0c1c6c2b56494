// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import dev.tensorbus.rpc.RpcTimeoutException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Waits for futures on threads that may block.
public final class VirtualThreads {
  private VirtualThreads() {}

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
  /// @throws RpcTimeoutException with the message from `late` if the result takes longer than
  ///     `limit`
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

  /// Converts the [InterruptedException] that `Future.await` throws without declaring it.
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
