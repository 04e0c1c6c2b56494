// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.time;

import java.time.Duration;

/// The time, on one clock, at which a wait or another operation must end.
public final class Deadline {
  private final NanoClock clock;
  private final long end;

  private Deadline(NanoClock clock, long end) {
    this.clock = clock;
    this.end = end;
  }

  /// Returns the deadline that is `limit` from now.
  ///
  /// @param limit at most [TimeLimit#NONE]
  public static Deadline after(Duration limit, NanoClock clock) {
    return afterNanos(limit.toNanos(), clock);
  }

  /// Returns the deadline that is `nanos` nanoseconds from now.
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

  /// Returns the time left, at least one nanosecond, since methods that wait need a positive time.
  public Duration left() {
    return Duration.ofNanos(Math.max(1, nanosLeft()));
  }
}
