// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.thread.time.NanoClock;

/// Spins for about as long as it takes to copy a chunk, then yields, then parks.
final class BackoffIdleStrategy implements IdleStrategy {
  private static final int SPINS = 64;
  private static final int YIELDS = 64;

  private final NanoClock clock;
  private int turns;
  private long start;

  BackoffIdleStrategy(NanoClock clock) {
    this.clock = clock;
  }

  @Override
  public void reset() {
    turns = 0;
  }

  @Override
  public void idle() {
    turns++;
    if (turns == 1) {
      start = clock.nanoTime();
    }
    if (turns <= SPINS) {
      Thread.onSpinWait();
    } else if (turns <= SPINS + YIELDS) {
      yieldCarrier();
    } else {
      ParkIdleStrategy.parkAfter(clock.nanoTime() - start);
    }
  }

  /// Yields this virtual thread's carrier to other virtual threads.
  @SuppressWarnings("ThreadPriorityCheck") // harmless if it does nothing
  private static void yieldCarrier() {
    Thread.yield();
  }
}
