// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.worker;

import dev.tensorbus.nn.ThreadModes;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.graph.Recording;
import dev.tensorbus.rpc.observe.trace.Tracing;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A copy of the values that are bound to a thread, for work on another thread.
///
/// @param call the remote call that the thread runs, or null
/// @param recording the autograd context that the thread has entered, or null
/// @param modes the modes of the thread, such as no-grad
/// @param method a Vert.x context with the span of the method that the thread runs, or null
/// @param span a Vert.x context with the current span of the thread, or null
public record ContextSnapshot(
    @Nullable CallContext call,
    @Nullable Recording recording,
    ThreadModes modes,
    @Nullable ContextInternal method,
    @Nullable ContextInternal span) {
  /// Returns the values of this thread.
  public static ContextSnapshot here() {
    return new ContextSnapshot(
        CallContext.around(),
        Recording.entered(),
        ThreadModes.here(),
        Tracing.around(),
        Tracing.current());
  }

  /// Runs `body` on this thread with these values.
  public <R> R call(Supplier<R> body) {
    Supplier<R> recorded = () -> Recording.call(recording, () -> modes.call(body));
    return CallContext.in(call, () -> Tracing.callAround(method, () -> Tracing.in(span, recorded)));
  }

  /// Like [#call], for a body without a result.
  public void run(Runnable body) {
    boolean _ =
        call(
            () -> {
              body.run();
              return true;
            });
  }

  /// Like [#call], for a body that may throw any exception.
  public <R> R callThrowing(Callable<R> body) throws Exception {
    FutureTask<R> task = new FutureTask<>(body);
    run(task);
    if (task.state() == FutureTask.State.SUCCESS) {
      return task.resultNow();
    }
    if (task.exceptionNow() instanceof Error error) {
      throw error;
    }
    throw (Exception) task.exceptionNow();
  }
}
