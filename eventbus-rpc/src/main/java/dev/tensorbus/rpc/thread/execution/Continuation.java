// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.time.Stopwatch;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Where the continuation of a call runs: on the same kind of thread after a failure as after a
/// success.
public final class Continuation {
  /// The event loop that made the call, or the worker's own if the call's options choose.
  private final @Nullable ContextInternal loop;

  /// The policy of the call's options, or null if the calling thread decides.
  private final @Nullable ExecutionPolicy said;

  Continuation(@Nullable ContextInternal loop, @Nullable ExecutionPolicy said) {
    this.loop = loop;
    this.said = said;
  }

  /// Returns whether the event loop that receives the answer may decode it and continue, if that is
  /// short.
  public boolean allowsEventLoop() {
    return said == null ? loop != null : said.allowsEventLoop();
  }

  /// Runs `body` after a success, on the thread that has decoded the answer, or on the event loop
  /// that made the call.
  public void goOn(Runnable body) {
    if (said != null) {
      goOnHere(said, body);
    } else if (loop != null) {
      emit(loop, body);
    } else {
      body.run();
    }
  }

  /// An event loop may have been closed during the call. The continuation must run nevertheless, or
  /// its waiters would wait forever.
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

  /// Runs `body` after a failure. This thread is needed by others: it belongs to the clock or the
  /// cluster, or handles a death.
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
