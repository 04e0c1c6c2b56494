// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server.view;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// The clock by which Raft notices a silent leader. It runs faster than the real time, because
/// MicroRaft's periods are whole seconds: one of our periods is one second here.
///
/// A process that was stalled would find everybody else silent. So the clock advances by at most a
/// period between two of the voter's own ticks, and messages that arrived meanwhile are read before
/// others are suspected. Only elections may depend on this clock, and a needless one does no harm;
/// leases must not.
final class ElectionClock extends Clock {
  private static final long PERIOD_MILLIS = 1000;

  private final LongSupplier nanoTime;
  private final long periodNanos;
  private long tickedAt;
  private long millisAtTick;

  ElectionClock(LongSupplier nanoTime, long periodNanos) {
    this.nanoTime = nanoTime;
    this.periodNanos = periodNanos;
    this.tickedAt = nanoTime.getAsLong();
    this.millisAtTick = 1_000_000; // since 0 means "never" to MicroRaft
  }

  /// Records that the voter is not stalled. Must be called more than once a period.
  void tick() {
    millisAtTick = millis();
    tickedAt = nanoTime.getAsLong();
  }

  /// Lets periods pass at once, after which a silent leader is considered dead.
  void skip(int periods) {
    millisAtTick += periods * PERIOD_MILLIS;
  }

  /// Returns the real time in nanoseconds that a delay on this clock takes.
  long realNanos(long delay, TimeUnit unit) {
    return unit.toMillis(delay) * periodNanos / PERIOD_MILLIS;
  }

  @Override
  public long millis() {
    long nanos = Math.min(nanoTime.getAsLong() - tickedAt, periodNanos);
    return millisAtTick + nanos * PERIOD_MILLIS / periodNanos;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
