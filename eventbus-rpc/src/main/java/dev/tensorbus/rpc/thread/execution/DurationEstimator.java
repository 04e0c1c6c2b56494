// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import java.util.concurrent.TimeUnit;

/// Estimates from recent runs whether some work is short enough for an event loop.
///
/// Thirty short runs in a row make the work short. One long run cancels thirty short ones, so few
/// of the runs on an event loop are long.
final class DurationEstimator {
  /// About the cost of handing the work to another thread.
  private static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private static final int SURE = 30;

  private int score;

  /// Returns whether the work is known to be short.
  synchronized boolean isShort() {
    return score >= SURE;
  }

  /// Records a run that began at the given [System#nanoTime] and ends now.
  synchronized void ranSince(long start) {
    boolean wasShort = System.nanoTime() - start < SHORT_NANOS;
    score = wasShort ? Math.min(2 * SURE, score + 1) : Math.max(0, score - SURE);
  }
}
