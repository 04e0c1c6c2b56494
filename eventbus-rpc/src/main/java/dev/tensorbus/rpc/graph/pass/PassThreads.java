// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import io.vertx.core.Future;
import java.util.function.Supplier;

/// Decides whether the thread that a message of a pass arrives on also does its work.
public final class PassThreads {
  private final Elsewhere elsewhere;

  /// Learns from everything that messages of passes make this worker do.
  private final ExecutionPolicy policy = ExecutionPolicy.of(Execution.ADAPTIVE);

  /// @param elsewhere runs work on a virtual thread
  public PassThreads(Elsewhere elsewhere) {
    this.elsewhere = elsewhere;
  }

  /// Runs work on a virtual thread, as a part of the present remote call.
  @FunctionalInterface
  public interface Elsewhere {
    /// Runs work that may block.
    <T> Future<T> run(Supplier<Future<T>> work);
  }

  /// Does work on a virtual thread, which may block.
  <T> Future<T> onVirtualThread(Supplier<Future<T>> work) {
    return elsewhere.run(work);
  }

  /// Does work on this thread, unless this is an event loop and such work took long of late.
  public <T> Future<T> adaptively(Supplier<Future<T>> work) {
    Supplier<Future<T>> timed =
        () -> {
          long start = System.nanoTime();
          Future<T> done = work.get();
          policy.ranSince(start);
          return done;
        };
    return policy.allowsThisThread() ? timed.get() : onVirtualThread(timed);
  }
}
