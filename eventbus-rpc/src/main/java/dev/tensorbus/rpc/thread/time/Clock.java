// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.time;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/// A worker's clock: nanoseconds for decisions, instants for people and logs, and alarms.
/// [SystemClock] is the clock of the JVM; tests use a clock that they advance by hand.
///
/// Alarms run one after another and must not block.
public interface Clock extends NanoClock, InstantSource {
  /// Makes this thread sleep for the given time, or less.
  void sleep(Duration time);

  /// Runs `task` once after a delay, unless the clock is stopped first.
  default void after(long nanos, Runnable task) {
    ScheduledFuture<?> _ = alarm(nanos, task);
  }

  /// Runs `task` once after a delay, unless the returned alarm is cancelled or the clock is stopped
  /// first. Returns null if the clock is already stopped.
  @Nullable ScheduledFuture<?> alarm(long nanos, Runnable task);

  /// Cancels an alarm, if there is one.
  static void cancel(@Nullable ScheduledFuture<?> alarm) {
    if (alarm != null) {
      alarm.cancel(false);
    }
  }

  /// Runs `task` periodically until the clock is stopped.
  void every(Duration period, Runnable task);

  /// Returns whether the clock is stopped and runs no more alarms.
  boolean isStopped();

  /// Stops the clock permanently: cancels all alarms and accepts no new ones.
  void stop();
}
