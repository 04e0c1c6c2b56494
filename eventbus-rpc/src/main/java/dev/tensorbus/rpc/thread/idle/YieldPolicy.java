// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.util.concurrent.TimeUnit;

/// Makes a copying thread yield its core between chunks, so that threads that handle calls can run.
/// Otherwise the operating system would often preempt the copying thread only at the next clock
/// tick, after up to 4 ms.
///
/// A thread that handles a call returns the core at once, but a computing thread keeps it for a
/// whole time slice. After that, the copying thread does not yield again for several times as long;
/// otherwise it would make almost no progress.
public final class YieldPolicy {
  /// If this thread was away for longer, a computing thread must have had the core.
  private static final long SHORT_ABSENCE = TimeUnit.MILLISECONDS.toNanos(1);

  private static final int TIMES_AS_LONG = 4;

  private final NanoClock clock;

  /// The earliest time at which to yield again.
  private long next;

  /// Creates a policy that yields at the first call.
  YieldPolicy(NanoClock clock) {
    this.clock = clock;
    next = clock.nanoTime();
  }

  /// Yields the core briefly if that is due. Does nothing on a virtual thread, which has no core.
  @SuppressWarnings("ThreadPriorityCheck") // harmless if it does nothing
  public void yieldIfDue() {
    long start = clock.nanoTime();
    if (isDue(start) && !Thread.currentThread().isVirtual()) {
      Thread.yield();
      wasAway(start, clock.nanoTime());
    }
  }

  boolean isDue(long now) {
    return now - next >= 0;
  }

  void wasAway(long start, long end) {
    if (end - start > SHORT_ABSENCE) {
      next = end + TIMES_AS_LONG * (end - start);
    }
  }
}
