// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Where what follows one call runs: after its failure on the same kind of thread as after its
/// success.
public final class Continuation {
  /// The event loop that called, or the worker's own if the call says where to go on.
  private final @Nullable ContextInternal loop;

  /// The call's own policy, or null if the caller's place decides.
  private final @Nullable ExecutionPolicy said;

  Continuation(@Nullable ContextInternal loop, @Nullable ExecutionPolicy said) {
    this.loop = loop;
    this.said = said;
  }

  /// Whether the event loop that takes the answer may decode it and go on, if that is short.
  public boolean allowsEventLoop() {
    return said == null ? loop != null : said.allowsEventLoop();
  }

  /// Runs `body` after a success, on the thread that has decoded the answer, or on the event loop
  /// that called.
  public void goOn(Runnable body) {
    if (said != null) {
      goOnHere(said, body);
    } else if (loop != null) {
      emit(loop, body);
    } else {
      body.run();
    }
  }

  /// An event loop may have been closed while the call was under way. Whoever waits for what
  /// follows is not to wait for ever.
  private static void emit(ContextInternal loop, Runnable body) {
    try {
      loop.emit(ignored -> body.run());
    } catch (RejectedExecutionException e) {
      VirtualThreads.start("tensorbus-answer", body);
    }
  }

  private static void goOnHere(ExecutionPolicy said, Runnable body) {
    if (said.measures()) {
      long start = System.nanoTime();
      body.run();
      said.ranSince(start);
    } else {
      body.run();
    }
  }

  /// Runs `body` after a failure. This thread is one that others need: the clock's, the cluster's,
  /// or one that handles a death.
  public void goOnApart(Runnable body) {
    if (loop == null || !allowsEventLoop()) {
      VirtualThreads.start("tensorbus-answer", body);
    } else if (said != null && ExecutionPolicy.isEventLoop()) {
      body.run();
    } else {
      emit(loop, body);
    }
  }
}
