// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.testing;

import dev.tensorbus.rpc.thread.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A clock that a test moves by hand. Alarms run on the thread that moves the clock, each with the
/// clock showing the time for which it was set. Alarms for the same time run in the order in which
/// they were set.
@SuppressWarnings("exports") // `Clock` is exported only to this project's modules
public final class ManualClock implements Clock {
  private final Queue<Alarm> alarms =
      new PriorityQueue<>(
          Comparator.<Alarm>comparingLong(a -> a.due).thenComparingLong(a -> a.number));

  private long now;
  private long count;
  private int sleepers;
  private boolean isStopped;

  /// Creates a clock that starts at the epoch.
  public ManualClock() {}

  @Override
  public synchronized long nanoTime() {
    return now;
  }

  @Override
  public Instant instant() {
    return Instant.EPOCH.plusNanos(nanoTime());
  }

  /// Moves the time forward and runs the alarms that are due by then.
  public void advance(Duration time) {
    long end = nanoTime() + time.toNanos();
    while (advanceToNext(end)) {
      // an alarm has run
    }
  }

  /// Moves the time to the next alarm and runs it, if it is due by `end`; otherwise moves the time
  /// to `end`. Returns whether an alarm was due.
  boolean advanceToNext(long end) {
    Alarm next = next(end);
    if (next == null) {
      return false;
    }
    next.executor.execute(next::ring);
    return true;
  }

  private synchronized @Nullable Alarm next(long end) {
    Alarm next = alarms.peek();
    boolean isDue = next != null && next.due <= end;
    now = isDue ? Math.max(now, next.due) : end;
    notifyAll();
    return isDue ? alarms.poll() : null;
  }

  /// Returns the number of pending alarms.
  public synchronized int alarmCount() {
    return alarms.size();
  }

  @Override
  public synchronized void sleep(Duration time) {
    long end = now + time.toNanos();
    sleepers++;
    notifyAll();
    try {
      while (now < end && !isStopped) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      sleepers--;
    }
  }

  /// Waits until a thread sleeps on this clock.
  public synchronized void awaitSleeper() throws InterruptedException {
    while (sleepers == 0) {
      wait();
    }
  }

  @Override
  public @Nullable ScheduledFuture<?> alarm(long nanos, Runnable task) {
    return alarm(nanos, Runnable::run, task);
  }

  /// Sets an alarm that runs on an executor. It can be cancelled until it runs.
  @Nullable ScheduledFuture<?> alarm(long nanos, Executor executor, Runnable task) {
    return add(nanos, 0, executor, task);
  }

  @Override
  public void every(Duration period, Runnable task) {
    Alarm _ = add(period.toNanos(), period.toNanos(), Runnable::run, task);
  }

  private synchronized @Nullable Alarm add(
      long nanos, long period, Executor executor, Runnable task) {
    if (isStopped) {
      return null;
    }
    Alarm alarm = new Alarm(now + Math.max(0, nanos), period, executor, task);
    alarms.add(alarm);
    return alarm;
  }

  private synchronized void addAgain(Alarm alarm) {
    if (!isStopped && !alarm.isCancelled()) {
      alarm.due = now + alarm.period;
      alarms.add(alarm);
    }
  }

  private synchronized void remove(Alarm alarm) {
    alarms.remove(alarm);
  }

  @Override
  public synchronized boolean isStopped() {
    return isStopped;
  }

  @Override
  public synchronized void stop() {
    isStopped = true;
    alarms.clear();
    notifyAll();
  }

  private final class Alarm extends FutureTask<Void> implements ScheduledFuture<Void> {
    private final long number = count++;
    private final long period;
    private final Executor executor;
    private long due;

    Alarm(long due, long period, Executor executor, Runnable task) {
      super(task, null);
      this.due = due;
      this.period = period;
      this.executor = executor;
    }

    /// @throws IllegalStateException if the task threw an exception
    void ring() {
      if (period == 0) {
        run();
      } else if (runAndReset()) {
        addAgain(this);
      }
      if (state() == State.FAILED) {
        throw new IllegalStateException("an alarm failed", exceptionNow());
      }
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
      remove(this);
      return super.cancel(mayInterrupt);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(due - nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
    }
  }
}
