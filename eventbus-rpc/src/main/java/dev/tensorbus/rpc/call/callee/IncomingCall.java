// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Request;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// A call that this worker serves: its caller, its deadline, and whether it is cancelled.
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
    /// Makes another thread run the call, which has got a slot. Throws if the call cannot run, and
    /// has then answered the caller.
    void start();

    /// The call was cancelled before it got a slot.
    void drop();
  }

  /// Creates a call that has just arrived.
  ///
  /// @param isControl whether it is one of Tensorbus's own control messages
  /// @param bytes the memory that it takes while it is queued
  public IncomingCall(CallContext context, boolean isControl, int bytes, Work work) {
    this.context = context;
    this.isControl = isControl;
    this.bytes = bytes;
    this.work = work;
  }

  /// Returns the context for its method.
  CallContext context() {
    return context;
  }

  /// Returns the head of its request.
  public Request.Head head() {
    return context.head();
  }

  /// Returns the worker that made it.
  public Sender caller() {
    return context.sender();
  }

  /// Returns the caller's number for it.
  public long number() {
    return head().call();
  }

  /// Returns whether it is one of Tensorbus's own control messages.
  public boolean isControl() {
    return isControl;
  }

  int bytes() {
    return bytes;
  }

  Work work() {
    return work;
  }

  /// Starts its work; returns whether there was enough memory.
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

  /// Returns its slot; returns whether it had one.
  boolean releaseSlot() {
    boolean had = hasSlot;
    hasSlot = false;
    return had;
  }

  /// Returns the nanoseconds that the caller still waits.
  public long remaining() {
    return context.remaining();
  }

  /// Returns the nanoseconds since it arrived.
  public long elapsed() {
    return head().remainingNanos() - remaining();
  }

  /// Returns the thread that runs it, or null if none does, or an event loop.
  public synchronized @Nullable Thread thread() {
    return thread;
  }

  /// Records that this thread runs it from now on.
  public synchronized void runsHere() {
    thread = Thread.currentThread();
    if (isCancelled()) {
      thread.interrupt();
    }
  }

  /// Records that its thread is done, while the future that its method returned is not complete:
  /// `task` runs if the call is cancelled.
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

  /// Cancels the call: interrupts the thread that runs it.
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

  /// Records that it is answered; returns whether it was not before.
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
