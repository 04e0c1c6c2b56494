// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.lane;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Waits for the other process, which cannot wake a thread here: first looks again and again, as
/// long as a chunk takes to copy, then sleeps, each time for a part of what it has waited.
final class Looks implements Pause {
  private static final int LOOKS = 64;
  private static final int YIELDS = 128;
  private static final int PART = 16;
  private static final long SHORTEST = TimeUnit.MICROSECONDS.toNanos(20);
  private static final long LONGEST = TimeUnit.MILLISECONDS.toNanos(1);

  private int turns;
  private long start;

  @Override
  public void reset() {
    turns = 0;
  }

  @Override
  public void take() {
    turns++;
    if (turns == 1) {
      start = System.nanoTime();
    }
    if (turns <= LOOKS) {
      Thread.onSpinWait();
    } else if (turns <= YIELDS) {
      Pause.letOthersRun();
    } else {
      long waited = System.nanoTime() - start;
      LockSupport.parkNanos(Math.clamp(waited / PART, SHORTEST, LONGEST));
    }
  }

  @Override
  public void close() {}
}
