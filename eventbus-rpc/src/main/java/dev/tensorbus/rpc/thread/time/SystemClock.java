// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.time;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The clock of the JVM, with a thread that runs the alarms.
///
/// Waking that thread for each call would cost more than the call. It is woken only if a new alarm
/// is the earliest, which is rare when most calls have the same timeout.
public final class SystemClock implements Clock {
  private static final System.Logger LOG = System.getLogger(SystemClock.class.getName());

  private final ScheduledThreadPoolExecutor timer;

  /// @param threads creates the thread that runs the alarms
  public SystemClock(ThreadFactory threads) {
    timer = new ScheduledThreadPoolExecutor(1, threads);
    timer.setRemoveOnCancelPolicy(true);
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public Instant instant() {
    return Instant.now();
  }

  @Override
  public void sleep(Duration time) {
    LockSupport.parkNanos(time.toNanos());
  }

  @Override
  public @Nullable ScheduledFuture<?> alarm(long nanos, Runnable task) {
    try {
      return timer.schedule(guarded(task), Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return null;
    }
  }

  @Override
  public void every(Duration period, Runnable task) {
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(
            guarded(task), period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Logs whatever a task throws: a periodic task that throws would never run again, even after a
  /// single OutOfMemoryError.
  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        LOG.log(Level.WARNING, "an alarm failed", e);
      }
    };
  }

  @Override
  public boolean isStopped() {
    return timer.isShutdown();
  }

  @Override
  public void stop() {
    timer.shutdownNow();
  }
}
