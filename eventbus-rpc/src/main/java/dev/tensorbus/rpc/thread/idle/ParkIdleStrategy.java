// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Parks, each time for a fraction of the time that the thread has waited.
final class ParkIdleStrategy implements IdleStrategy {
  private static final int PART = 16;
  private static final long SHORTEST = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(1);

  private final NanoClock clock;
  private boolean isWaiting;
  private long start;

  ParkIdleStrategy(NanoClock clock) {
    this.clock = clock;
  }

  @Override
  public void reset() {
    isWaiting = false;
  }

  @Override
  public void idle() {
    if (!isWaiting) {
      isWaiting = true;
      start = clock.nanoTime();
    }
    parkAfter(clock.nanoTime() - start);
  }

  /// Parks a thread that has waited for the given number of nanoseconds.
  static void parkAfter(long waited) {
    LockSupport.parkNanos(Math.clamp(waited / PART, SHORTEST, LONGEST));
  }
}
