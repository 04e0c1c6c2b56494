// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

/// Spins for as long as a chunk takes to copy, then yields, and then parks.
final class BackoffIdleStrategy implements IdleStrategy {
  private static final int SPINS = 64;
  private static final int YIELDS = 64;

  private int turns;
  private long start;

  @Override
  public void reset() {
    turns = 0;
  }

  @Override
  public void idle() {
    turns++;
    if (turns == 1) {
      start = System.nanoTime();
    }
    if (turns <= SPINS) {
      Thread.onSpinWait();
    } else if (turns <= SPINS + YIELDS) {
      yieldCarrier();
    } else {
      ParkIdleStrategy.parkSince(start);
    }
  }

  /// Lets other virtual threads have this one's carrier.
  @SuppressWarnings("ThreadPriorityCheck") // nothing is wrong if it does nothing
  private static void yieldCarrier() {
    Thread.yield();
  }
}
