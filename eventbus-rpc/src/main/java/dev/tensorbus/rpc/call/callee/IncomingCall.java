// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.call.callee;

import dev.tensorbus.rpc.call.CallContext;
import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Request;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// One call that this worker was asked to run: who asked, until when, and whether it is given up.
public final class IncomingCall {
  private static final System.Logger LOG = System.getLogger(IncomingCall.class.getName());

  private final CallContext context;
  private final boolean isControl;
  private final int bytes;
  private final Work work;

  /// Whether it takes one of the places that there are; [IncomingCalls] guards it.
  private boolean hasSlot;

  private @Nullable Thread thread;
  private @Nullable Runnable onCancel;
  private boolean finished;

  /// Starts or drops a call that had to wait. Must not block.
  public interface Work {
    /// There is room for it: have another thread run it. Throws if it cannot run, and has then told
    /// the caller.
    void start();

    /// It was given up before there was room.
    void drop();
  }

  /// A call that has just come.
  ///
  /// @param isControl whether it is one of Tensorbus's own control messages
  /// @param bytes what it keeps in memory while it waits
  public IncomingCall(CallContext context, boolean isControl, int bytes, Work work) {
    this.context = context;
    this.isControl = isControl;
    this.bytes = bytes;
    this.work = work;
  }

  /// What its method finds of it.
  CallContext context() {
    return context;
  }

  /// The head of its request.
  public Request.Head head() {
    return context.head();
  }

  /// The worker that made it.
  public Sender caller() {
    return context.sender();
  }

  /// The caller's number for it.
  public long number() {
    return head().call();
  }

  /// Whether it is one of Tensorbus's own control messages.
  public boolean isControl() {
    return isControl;
  }

  int bytes() {
    return bytes;
  }

  Work work() {
    return work;
  }

  /// Starts its work; whether there was memory for it.
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

  /// Gives its slot back; whether it had one.
  boolean releaseSlot() {
    boolean had = hasSlot;
    hasSlot = false;
    return had;
  }

  /// The nanoseconds that the caller still waits.
  public long remaining() {
    return context.remaining();
  }

  /// The nanoseconds since it came.
  public long elapsed() {
    return head().remainingNanos() - remaining();
  }

  /// The thread that runs it, or null if none does, or an event loop.
  public synchronized @Nullable Thread thread() {
    return thread;
  }

  /// Notes that this thread runs it from now on.
  public synchronized void runsHere() {
    thread = Thread.currentThread();
    if (isCancelled()) {
      thread.interrupt();
    }
  }

  /// Notes that its thread is done, while the future that it returned is not: `task` runs if the
  /// call is given up.
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

  /// Gives the call up: interrupts the thread that runs it.
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

  /// Notes that it is answered; whether it was not before.
  public synchronized boolean finish() {
    boolean isFirst = !finished;
    finished = true;
    thread = null;
    return isFirst;
  }

  /// Whether it is given up.
  public boolean isCancelled() {
    return context.isCancelled();
  }
}
