// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.observe.trace.Tracing;
import dev.tensorbus.rpc.thread.Threads;
import dev.tensorbus.rpc.thread.execution.ExecutionPolicy;
import dev.tensorbus.rpc.thread.time.Stopwatch;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.function.Supplier;

/// Decides whether the thread that receives a message of a pass also does the work that the message
/// causes.
public final class PassThreads {
  /// Measures all work that messages of passes cause on this worker.
  private final ExecutionPolicy policy = ExecutionPolicy.of(Execution.ADAPTIVE);

  /// Creates a policy without measurements.
  public PassThreads() {}

  /// Runs `work`, which may block, on a virtual thread within the current remote call and trace.
  <T> Future<T> onVirtualThread(Supplier<Future<T>> work) {
    CallContext call = CallContext.around();
    ContextInternal trace = Tracing.around();
    return Threads.system()
        .call("tensorbus-pass", () -> CallContext.in(call, () -> Tracing.callAround(trace, work)))
        .compose(done -> done);
  }

  /// Runs work on this thread, or on a virtual thread if this is an event loop and such work was
  /// slow recently.
  public <T> Future<T> adaptively(Supplier<Future<T>> work) {
    Supplier<Future<T>> timed =
        () -> {
          Stopwatch run = Stopwatch.start();
          Future<T> done = work.get();
          policy.ran(run);
          return done;
        };
    return policy.allowsThisThread() ? timed.get() : onVirtualThread(timed);
  }
}
