// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Parks, each time for a part of the time that the thread has waited.
final class ParkIdleStrategy implements IdleStrategy {
  private static final int PART = 16;
  private static final long SHORTEST = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(1);

  private boolean isWaiting;
  private long start;

  @Override
  public void reset() {
    isWaiting = false;
  }

  @Override
  public void idle() {
    if (!isWaiting) {
      isWaiting = true;
      start = System.nanoTime();
    }
    parkSince(start);
  }

  /// Parks a thread that has waited since this time of [System#nanoTime].
  static void parkSince(long start) {
    long waited = System.nanoTime() - start;
    LockSupport.parkNanos(Math.clamp(waited / PART, SHORTEST, LONGEST));
  }
}
