// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Waits for the other process, which cannot wake a thread here: first looks again and again, as
/// long as a chunk takes to copy, then sleeps longer and longer.
final class Pause {
  private static final int LOOKS = 64;
  private static final int YIELDS = 128;
  private static final long SHORTEST = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(1);

  private int turns;
  private long sleep;

  /// Something has happened.
  void reset() {
    turns = 0;
    sleep = SHORTEST;
  }

  /// Waits a little.
  void take() {
    turns++;
    if (turns <= LOOKS) {
      Thread.onSpinWait();
    } else if (turns <= YIELDS) {
      letOthersRun();
    } else {
      LockSupport.parkNanos(sleep);
      sleep = Math.clamp(2 * sleep, SHORTEST, LONGEST);
    }
  }

  /// Lets other virtual threads have this one's carrier.
  @SuppressWarnings("ThreadPriorityCheck") // nothing is wrong if it does nothing
  static void letOthersRun() {
    Thread.yield();
  }
}
