// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.serving;

import java.util.concurrent.TimeUnit;

/// Learns whether work that never waits is over so soon that an event loop may do it.
///
/// It takes thirty runs in a row to be sure. One that takes longer counts as much as thirty, so
/// of what an event loop does few runs are long.
public final class Pace {
  /// About what it takes to have another thread do it.
  private static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private static final int SURE = 30;

  private int score;

  /// Nothing is known yet.
  public Pace() {}

  /// Whether the work is known to be short.
  public synchronized boolean isShort() {
    return score >= SURE;
  }

  /// Notes how long it took, beginning at this time of [System#nanoTime].
  public synchronized void tookSince(long start) {
    boolean wasShort = System.nanoTime() - start < SHORT_NANOS;
    score = wasShort ? Math.min(2 * SURE, score + 1) : Math.max(0, score - SURE);
  }
}
