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

/// A copy of the values that are bound to a thread, for work that another thread does.
///
/// @param call the remote call that the thread runs, or null
/// @param recording the autograd context that it has entered, or null
/// @param modes the modes that it is in
/// @param method a context of Vert.x with the span of the method that it runs, or null
/// @param span a context of Vert.x with its current span, or null
public record ContextSnapshot(
    @Nullable CallContext call,
    @Nullable Recording recording,
    ThreadModes modes,
    @Nullable ContextInternal method,
    @Nullable ContextInternal span) {
  /// The values of this thread.
  public static ContextSnapshot here() {
    return new ContextSnapshot(
        CallContext.around(),
        Recording.entered(),
        ThreadModes.here(),
        Tracing.around(),
        Tracing.current());
  }

  /// Runs `body` on this thread as if it were the one that this was taken from.
  public <R> R call(Supplier<R> body) {
    Supplier<R> recorded = () -> Recording.call(recording, () -> modes.call(body));
    return CallContext.in(call, () -> Tracing.callAround(method, () -> Tracing.in(span, recorded)));
  }

  /// The same for what gives nothing.
  public void run(Runnable body) {
    boolean _ =
        call(
            () -> {
              body.run();
              return true;
            });
  }

  /// The same for what may throw anything.
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
