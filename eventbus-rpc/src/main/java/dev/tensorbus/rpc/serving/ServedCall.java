// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.serving;

import dev.tensorbus.rpc.wire.Request;
import dev.tensorbus.rpc.wire.Sender;
import org.jspecify.annotations.Nullable;

/// One call that this worker was asked to run: who asked, until when, and whether it is given up.
public final class ServedCall {
  private final Sender caller;
  private final long number;
  private final boolean mayRepeat;
  private final long deadline;
  private @Nullable Thread thread;
  private @Nullable Runnable onCancel;
  private boolean cancelled;
  private boolean finished;

  public ServedCall(Request request) {
    caller = request.from();
    number = request.call();
    mayRepeat = request.mayRepeat();
    deadline = System.nanoTime() + request.remainingNanos();
  }

  /// Who asked.
  public Sender caller() {
    return caller;
  }

  /// The caller's number for it.
  public long number() {
    return number;
  }

  /// Whether the caller may ask again.
  public boolean mayRepeat() {
    return mayRepeat;
  }

  /// The nanoseconds that the caller still waits.
  public long remaining() {
    return deadline - System.nanoTime();
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
