// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.time;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/// A worker's time: nanoseconds by which it decides, instants for people and logs, and alarms.
/// [SystemClock] is the JVM's; a test moves its own by hand.
///
/// Alarms run one at a time, and must not block.
public interface Clock extends NanoClock, InstantSource {
  /// Lets this thread wait. It may wake up sooner.
  void sleep(Duration time);

  /// Runs `task` once, unless the clock is stopped before.
  default void after(long nanos, Runnable task) {
    ScheduledFuture<?> _ = alarm(nanos, task);
  }

  /// Runs `task` once, unless the returned alarm is cancelled or the clock is stopped before.
  /// Returns null if the clock is stopped already.
  @Nullable ScheduledFuture<?> alarm(long nanos, Runnable task);

  /// Cancels an alarm, if it is one.
  static void cancel(@Nullable ScheduledFuture<?> alarm) {
    if (alarm != null) {
      alarm.cancel(false);
    }
  }

  /// Runs `task` once each period until the clock is stopped.
  void every(Duration period, Runnable task);

  /// Whether no alarm runs any more.
  boolean isStopped();

  /// Cancels all alarms for good.
  void stop();
}
