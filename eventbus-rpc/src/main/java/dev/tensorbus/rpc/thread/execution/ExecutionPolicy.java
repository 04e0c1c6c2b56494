// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import dev.tensorbus.rpc.Execution;
import io.vertx.core.Context;
import io.vertx.core.internal.ContextInternal;

/// Decides which thread runs what: from what the work says of itself, from how long it took
/// before, and from the thread that asks. docs/execution.md has the table.
///
/// An instance stands for one kind of work, such as one remote method.
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

  /// For work that says this of itself. Each adaptive policy measures one kind of work.
  public static ExecutionPolicy of(Execution execution) {
    return switch (execution) {
      case EVENT_LOOP -> EVENT_LOOP;
      case VIRTUAL_THREAD -> VIRTUAL;
      case PLATFORM_THREAD -> PLATFORM;
      case ADAPTIVE -> new ExecutionPolicy(execution);
    };
  }

  /// Whether an event loop may run the work now.
  public boolean allowsEventLoop() {
    return switch (execution) {
      case EVENT_LOOP -> true;
      case VIRTUAL_THREAD, PLATFORM_THREAD -> false;
      case ADAPTIVE -> durations.isShort();
    };
  }

  /// Whether the work is to have a thread of the operating system of its own.
  public boolean needsPlatformThread() {
    return execution == Execution.PLATFORM_THREAD;
  }

  /// Whether this thread may run the work now: it is no event loop, or the work allows one.
  public boolean allowsThisThread() {
    return !isEventLoop() || allowsEventLoop();
  }

  /// Whether the next decision depends on how long a run takes.
  public boolean measures() {
    return execution == Execution.ADAPTIVE;
  }

  /// Records a run that began at this time of [System#nanoTime] and ends now.
  public void ranSince(long start) {
    durations.ranSince(start);
  }

  /// Where what follows a call of this work is to run.
  ///
  /// @param workersLoop the event loop on which the worker takes answers
  public Continuation continuation(ContextInternal workersLoop) {
    return new Continuation(workersLoop, this);
  }

  /// Where what follows a call is to run that says nothing: on the event loop that calls, as with
  /// other futures of Vert.x, or else on a virtual thread.
  public static Continuation whereCalled() {
    return isEventLoop() ? new Continuation(ContextInternal.current(), null) : ON_VIRTUAL_THREAD;
  }

  /// Whether this thread is an event loop, which must neither wait nor work for long.
  public static boolean isEventLoop() {
    return Context.isOnEventLoopThread();
  }

  /// Whether this thread may wait: it is virtual, or not one of Vert.x's own.
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
              + "; call rpcAsync or another …Async method here, or get a virtual thread: a verticle"
              + " by ThreadingModel.VIRTUAL_THREAD, a remote method by @Remote(execution ="
              + " Execution.VIRTUAL_THREAD)");
    }
  }
}
