// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.pending;

import dev.tensorbus.rpc.RpcTimeoutException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Where blocking is allowed: virtual threads, and those that are not Vert.x's own.
public final class VirtualThreads {
  private VirtualThreads() {}

  /// Runs `body` on a virtual thread of its own.
  public static <T> Future<T> call(String name, Callable<T> body) {
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
  public static Future<Void> run(String name, Runnable body) {
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
  /// @throws CancellationException if this thread is interrupted, which it stays
  public static <T> T await(Future<T> future) {
    requireMayBlock();
    return interruptibly(future::await);
  }

  /// Waits for a result, for this long at most.
  ///
  /// @throws RpcTimeoutException with the text of `late` if it takes longer
  public static <T> T await(Future<T> future, Duration limit, Supplier<String> late) {
    requireMayBlock();
    return interruptibly(
        () -> {
          try {
            return future.await(limit.toNanos(), TimeUnit.NANOSECONDS);
          } catch (TimeoutException e) {
            throw new RpcTimeoutException(late.get());
          }
        });
  }

  /// Checks that this thread may wait.
  ///
  /// @throws IllegalStateException on an event loop or a worker thread
  public static void requireMayBlock() {
    if (Context.isOnEventLoopThread() || Context.isOnWorkerThread()) {
      throw new IllegalStateException(
          "this would block "
              + Thread.currentThread().getName()
              + "; call rpcAsync here, or get a virtual thread: a verticle by"
              + " ThreadingModel.VIRTUAL_THREAD, a remote method by @Remote without brief");
    }
  }

  /// A future's await throws [InterruptedException] without saying so.
  private static <T> T interruptibly(Supplier<T> wait) {
    try {
      return wait.get();
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
        CancellationException cancelled =
            new CancellationException("interrupted while it waited for an answer");
        cancelled.initCause(e);
        throw cancelled;
      }
      throw e;
    }
  }
}
