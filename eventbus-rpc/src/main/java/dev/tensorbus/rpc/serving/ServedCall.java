// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.serving;

import dev.tensorbus.rpc.wire.Sender;
import dev.tensorbus.rpc.wire.message.Request;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// One call that this worker was asked to run: who asked, until when, and whether it is given up.
public final class ServedCall {
  private static final System.Logger LOG = System.getLogger(ServedCall.class.getName());

  private final Request.Head head;
  private final boolean isControl;
  private final int bytes;
  private final Work work;
  private final long deadline;

  /// Whether it takes one of the places that there are; [ServedCalls] guards it.
  private boolean hasSlot;

  private @Nullable Thread thread;
  private @Nullable Runnable onCancel;
  private boolean cancelled;
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
  public ServedCall(Request.Head head, boolean isControl, int bytes, Work work) {
    this.head = head;
    this.isControl = isControl;
    this.bytes = bytes;
    this.work = work;
    deadline = System.nanoTime() + head.remainingNanos();
  }

  /// The head of its request.
  public Request.Head head() {
    return head;
  }

  /// The worker that made it.
  public Sender caller() {
    return head.from();
  }

  /// The caller's number for it.
  public long number() {
    return head.call();
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
      LOG.log(Level.WARNING, head.function() + " cannot be started for " + caller().info(), e);
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
    return deadline - System.nanoTime();
  }

  /// The nanoseconds since it came.
  public long elapsed() {
    return head.remainingNanos() - remaining();
  }

  /// The thread that runs it, or null if none does, or an event loop.
  public synchronized @Nullable Thread thread() {
    return thread;
  }

  /// Notes that this thread runs it from now on.
  public synchronized void runsHere() {
    thread = Thread.currentThread();
    if (cancelled) {
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
      now = cancelled;
    }
    if (now) {
      task.run();
    }
  }

  /// Gives the call up: interrupts the thread that runs it.
  public void cancel() {
    Runnable task;
    synchronized (this) {
      cancelled = true;
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

  public synchronized boolean isCancelled() {
    return cancelled;
  }
}
