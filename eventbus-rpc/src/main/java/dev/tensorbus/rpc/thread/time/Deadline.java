// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.time;

import java.time.Duration;

/// The end of a wait or of a budget of time, on one clock.
public final class Deadline {
  private final NanoClock clock;
  private final long end;

  private Deadline(NanoClock clock, long end) {
    this.clock = clock;
    this.end = end;
  }

  /// Returns the deadline at this distance from now.
  ///
  /// @param limit at most [TimeLimit#NONE]
  public static Deadline after(Duration limit, NanoClock clock) {
    return afterNanos(limit.toNanos(), clock);
  }

  /// Returns the deadline at this distance from now.
  public static Deadline afterNanos(long nanos, NanoClock clock) {
    return new Deadline(clock, clock.nanoTime() + nanos);
  }

  /// Returns whether the deadline has passed.
  public boolean isOver() {
    return nanosLeft() <= 0;
  }

  /// Returns the nanoseconds left, negative after the deadline.
  public long nanosLeft() {
    return end - clock.nanoTime();
  }

  /// Returns the time left, at least a nanosecond, which is the minimum for methods that wait.
  public Duration left() {
    return Duration.ofNanos(Math.max(1, nanosLeft()));
  }
}
