// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Request;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// A call that this worker serves. Tracks its thread, its cancellation and its end.
public final class IncomingCall {
  private static final System.Logger LOG = System.getLogger(IncomingCall.class.getName());

  private final CallContext context;
  private final boolean isControl;
  private final int bytes;
  private final Work work;

  /// Whether the call occupies a slot; guarded by [IncomingCalls].
  private boolean hasSlot;

  private @Nullable Thread thread;
  private @Nullable Runnable onCancel;
  private boolean finished;

  /// Starts or drops a queued call. Must not block.
  public interface Work {
    /// Starts the call on another thread. If that fails, answers the caller and throws.
    void start();

    /// Handles the cancellation of the call while it is queued.
    void drop();
  }

  /// Creates a call that has just arrived.
  ///
  /// @param isControl whether the call is one of Tensorbus's own control calls
  /// @param bytes the memory that the call occupies while it is queued, in bytes
  public IncomingCall(CallContext context, boolean isControl, int bytes, Work work) {
    this.context = context;
    this.isControl = isControl;
    this.bytes = bytes;
    this.work = work;
  }

  /// Returns the context in which the method runs.
  CallContext context() {
    return context;
  }

  /// Returns the head of the call's request.
  public Request.Head head() {
    return context.head();
  }

  /// Returns the worker that made the call.
  public Sender caller() {
    return context.sender();
  }

  /// Returns the number that the caller gave the call.
  public long number() {
    return head().call();
  }

  /// Returns whether the call is one of Tensorbus's own control calls.
  public boolean isControl() {
    return isControl;
  }

  int bytes() {
    return bytes;
  }

  Work work() {
    return work;
  }

  /// Starts the work. Returns false if that failed, for example because memory ran out.
  boolean start() {
    try {
      work.start();
      return true;
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, head().function() + " cannot be started for " + caller().info(), e);
      return false;
    }
  }

  void takeSlot() {
    hasSlot = true;
  }

  /// Releases the call's slot. Returns whether the call had one.
  boolean releaseSlot() {
    boolean had = hasSlot;
    hasSlot = false;
    return had;
  }

  /// Returns the time until the caller's deadline, in nanoseconds.
  public long remaining() {
    return context.remaining();
  }

  /// Returns the nanoseconds since the call arrived.
  public long elapsed() {
    return head().remainingNanos() - remaining();
  }

  /// Returns the thread that runs the call, or null if no thread or an event loop runs it.
  public synchronized @Nullable Thread thread() {
    return thread;
  }

  /// Records that this thread now runs the call.
  public synchronized void runsHere() {
    thread = Thread.currentThread();
    if (isCancelled()) {
      thread.interrupt();
    }
  }

  /// Records that the method has returned a future and no thread runs the call any more. If the
  /// call is cancelled, `task` runs.
  public void awaitsFuture(Runnable task) {
    boolean now;
    synchronized (this) {
      thread = null;
      onCancel = task;
      now = isCancelled();
    }
    if (now) {
      task.run();
    }
  }

  /// Cancels the call: interrupts the thread that runs it, or runs the task of [#awaitsFuture].
  public void cancel() {
    Runnable task;
    synchronized (this) {
      context.cancel();
      task = onCancel;
      if (thread != null) {
        thread.interrupt();
      }
    }
    if (task != null) {
      task.run();
    }
  }

  /// Records the end of the call. Returns false if the call had already ended.
  public synchronized boolean finish() {
    boolean isFirst = !finished;
    finished = true;
    thread = null;
    return isFirst;
  }

  /// Returns whether the call is cancelled.
  public boolean isCancelled() {
    return context.isCancelled();
  }
}
