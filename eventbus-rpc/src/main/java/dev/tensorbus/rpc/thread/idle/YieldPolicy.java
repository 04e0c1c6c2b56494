// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.util.concurrent.TimeUnit;

/// Yields the core of a copying thread to the threads of calls between two chunks. Otherwise the
/// operating system would often preempt the copying thread only at the next clock tick, after up to
/// 4 ms.
///
/// The threads of calls return the core at once. A computing thread keeps it for its whole time
/// slice. After that the copying thread does not yield for several times as long, or it would make
/// almost no progress.
public final class YieldPolicy {
  /// After a longer absence, a computing thread must have had the core.
  private static final long SHORT_ABSENCE = TimeUnit.MILLISECONDS.toNanos(1);

  private static final int TIMES_AS_LONG = 4;

  private final NanoClock clock;

  /// When to yield again.
  private long next;

  /// Creates a policy that yields from the first call on.
  YieldPolicy(NanoClock clock) {
    this.clock = clock;
    next = clock.nanoTime();
  }

  /// Yields the core briefly. Does nothing on a virtual thread, which has no core.
  @SuppressWarnings("ThreadPriorityCheck") // nothing is wrong if it does nothing
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
