// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.thread.time.Stopwatch;
import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;

/// Decides which thread runs a piece of work, depending on its declared execution, its recent
/// durations, and the current thread; see the table in docs/execution.md.
///
/// An adaptive policy is for one kind of work, such as one remote method.
public final class ExecutionPolicy {
  private static final ExecutionPolicy EVENT_LOOP = new ExecutionPolicy(Execution.EVENT_LOOP);
  private static final ExecutionPolicy VIRTUAL = new ExecutionPolicy(Execution.VIRTUAL_THREAD);
  private static final ExecutionPolicy PLATFORM = new ExecutionPolicy(Execution.PLATFORM_THREAD);
  private static final Continuation ON_VIRTUAL_THREAD = new Continuation(null, null);

  private final Execution execution;
  private final DurationEstimator durations = new DurationEstimator();

  private ExecutionPolicy(Execution execution) {
    this.execution = execution;
  }

  /// Returns a policy for work with this execution: a new one for adaptive work, otherwise a shared
  /// one.
  public static ExecutionPolicy of(Execution execution) {
    return switch (execution) {
      case EVENT_LOOP -> EVENT_LOOP;
      case VIRTUAL_THREAD -> VIRTUAL;
      case PLATFORM_THREAD -> PLATFORM;
      case ADAPTIVE -> new ExecutionPolicy(execution);
    };
  }

  /// Returns whether an event loop may run the work now.
  public boolean allowsEventLoop() {
    return switch (execution) {
      case EVENT_LOOP -> true;
      case VIRTUAL_THREAD, PLATFORM_THREAD -> false;
      case ADAPTIVE -> durations.isShort();
    };
  }

  /// Returns whether the work needs a new platform thread.
  public boolean needsPlatformThread() {
    return execution == Execution.PLATFORM_THREAD;
  }

  /// Returns whether this thread may run the work now: it is not an event loop, or the work allows
  /// one.
  public boolean allowsThisThread() {
    return !isEventLoop() || allowsEventLoop();
  }

  /// Returns whether decisions depend on the duration of earlier runs.
  public boolean measures() {
    return execution == Execution.ADAPTIVE;
  }

  /// Records the duration of a run.
  public void ran(Stopwatch run) {
    durations.ran(run.nanos());
  }

  /// Returns the continuation of a call whose options set this policy.
  ///
  /// @param workersLoop the event loop on which the worker receives answers
  public Continuation continuation(ContextInternal workersLoop) {
    return new Continuation(workersLoop, this);
  }

  /// Returns the continuation of a call whose options set no policy. If an event loop makes the
  /// call, the continuation runs there, as with other Vert.x futures; otherwise on a virtual
  /// thread.
  public static Continuation whereCalled() {
    return isEventLoop() ? new Continuation(ContextInternal.current(), null) : ON_VIRTUAL_THREAD;
  }

  /// Returns whether this thread is an event loop, which must neither wait nor work for long.
  public static boolean isEventLoop() {
    return Context.isOnEventLoopThread();
  }

  /// Returns whether this thread may wait: it is neither an event loop nor a Vert.x worker thread.
  public static boolean mayBlock() {
    return !Context.isOnEventLoopThread() && !Context.isOnWorkerThread();
  }

  /// Checks that this thread may wait.
  ///
  /// @throws IllegalStateException on an event loop or a worker thread
  public static void requireMayBlock() {
    if (!mayBlock()) {
      throw new IllegalStateException(
          "this would block "
              + Thread.currentThread().getName()
              + "; call rpcAsync or another …Async method here, or use a virtual thread: deploy the"
              + " verticle with ThreadingModel.VIRTUAL_THREAD, or declare the remote method"
              + " @Remote(execution = Execution.VIRTUAL_THREAD)");
    }
  }
}
