// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.time;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One worker's alarms, on one thread; what they start must not block.
///
/// Waking that thread for each call would cost more than the call; it wakes only when a new alarm
/// is the earliest, which with one common timeout is rare.
public final class Clock {
  private static final System.Logger LOG = System.getLogger(Clock.class.getName());

  private final ScheduledThreadPoolExecutor timer;

  public Clock(String worker) {
    timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("tensorbus-clock-" + worker).factory());
    timer.setRemoveOnCancelPolicy(true);
  }

  /// Runs `task` once, unless the clock is stopped before.
  public void after(long nanos, Runnable task) {
    ScheduledFuture<?> _ = alarm(nanos, task);
  }

  /// The same; the alarm can be cancelled. Null if the clock is stopped already.
  public @Nullable ScheduledFuture<?> alarm(long nanos, Runnable task) {
    try {
      return timer.schedule(guarded(task), Math.max(0, nanos), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      return null;
    }
  }

  /// Cancels an alarm, if it is one.
  public static void cancel(@Nullable ScheduledFuture<?> alarm) {
    if (alarm != null) {
      alarm.cancel(false);
    }
  }

  /// Runs `task` again and again until the clock is stopped.
  public void every(Duration period, Runnable task) {
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(
            guarded(task), period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// A periodic task that throws would not be run again, even if memory was short only once.
  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        LOG.log(Level.WARNING, "an alarm failed", e);
      }
    };
  }

  public boolean isStopped() {
    return timer.isShutdown();
  }

  public void stop() {
    timer.shutdownNow();
  }
}
