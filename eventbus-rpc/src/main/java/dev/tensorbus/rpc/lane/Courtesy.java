// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import java.util.concurrent.TimeUnit;

/// Lets the threads of calls have the core of one that copies, between two chunks. The system
/// would often take it away at the next tick of its clock only, after up to 4 ms.
///
/// Those give it back at once. A thread that computes keeps it as long as it may; then the one
/// that copies is not courteous for a few times as long, or it would get next to nothing done.
final class Courtesy {
  /// Who is away for longer than this has met somebody who computes.
  private static final long BRIEF = TimeUnit.MILLISECONDS.toNanos(1);

  private static final int TIMES_AS_LONG = 4;

  /// When to be courteous again.
  private long next = System.nanoTime();

  /// Gives the core away for a moment. On a virtual thread, which has none, does nothing.
  @SuppressWarnings("ThreadPriorityCheck") // nothing is wrong if it does nothing
  void offer() {
    long start = System.nanoTime();
    if (isDue(start) && !Thread.currentThread().isVirtual()) {
      Thread.yield();
      wasAway(start, System.nanoTime());
    }
  }

  boolean isDue(long now) {
    return now - next >= 0;
  }

  void wasAway(long start, long end) {
    if (end - start > BRIEF) {
      next = end + TIMES_AS_LONG * (end - start);
    }
  }
}
