// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.time.Stopwatch;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Decides which thread runs the code that follows a call: the same kind after a failure as after a
/// success.
public final class Continuation {
  /// The worker's event loop if the call's options set an execution. Otherwise the event loop that
  /// made the call, or null if another thread made it.
  private final @Nullable ContextInternal loop;

  /// The policy set by the call's options, or null if the calling thread determines the execution.
  private final @Nullable ExecutionPolicy said;

  Continuation(@Nullable ContextInternal loop, @Nullable ExecutionPolicy said) {
    this.loop = loop;
    this.said = said;
  }

  /// Returns whether the event loop that receives the answer may decode it and run the
  /// continuation, provided that this takes little time.
  public boolean allowsEventLoop() {
    return said == null ? loop != null : said.allowsEventLoop();
  }

  /// Runs `body` after a success. If the options set no execution and an event loop made the call,
  /// `body` runs on that loop. Otherwise it runs on this thread, which has decoded the answer.
  public void goOn(Runnable body) {
    if (said != null) {
      goOnHere(said, body);
    } else if (loop != null) {
      emit(loop, body);
    } else {
      body.run();
    }
  }

  /// Runs `body` on the event loop or, if the loop was closed during the call, on a virtual thread:
  /// otherwise anyone waiting for the result would wait forever.
  private static void emit(ContextInternal loop, Runnable body) {
    try {
      loop.emit(ignored -> body.run());
    } catch (RejectedExecutionException e) {
      Threads.system().start("tensorbus-answer", body);
    }
  }

  private static void goOnHere(ExecutionPolicy said, Runnable body) {
    if (said.measures()) {
      Stopwatch run = Stopwatch.start();
      body.run();
      said.ran(run);
    } else {
      body.run();
    }
  }

  /// Runs `body` after a failure, on this thread only if it is an event loop: other threads that
  /// report failures (the clock's, the cluster's, one that handles a worker's death) must not run
  /// user code.
  public void goOnApart(Runnable body) {
    if (loop == null || !allowsEventLoop()) {
      Threads.system().start("tensorbus-answer", body);
    } else if (said != null && ExecutionPolicy.isEventLoop()) {
      body.run();
    } else {
      emit(loop, body);
    }
  }
}
