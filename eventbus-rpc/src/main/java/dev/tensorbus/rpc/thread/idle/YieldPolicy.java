// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.util.concurrent.TimeUnit;

/// Lets the threads of calls have the core of a thread that copies, between two chunks. The
/// operating system would often take the core away only at the next tick of its clock, after up to
/// 4 ms.
///
/// The threads of calls give the core back at once. A thread that computes keeps it as long as it
/// may. After that the copying thread does not yield for a few times as long, or it would get next
/// to nothing done.
public final class YieldPolicy {
  /// A thread that is away for longer has met one that computes.
  private static final long SHORT_ABSENCE = TimeUnit.MILLISECONDS.toNanos(1);

  private static final int TIMES_AS_LONG = 4;

  private final NanoClock clock;

  /// When to yield again.
  private long next;

  /// Yields whenever it is asked, at first.
  YieldPolicy(NanoClock clock) {
    this.clock = clock;
    next = clock.nanoTime();
  }

  /// Yields the core for a moment. Does nothing on a virtual thread, which has none.
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
