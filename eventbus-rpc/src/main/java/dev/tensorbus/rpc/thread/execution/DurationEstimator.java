// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.execution;

import java.util.concurrent.TimeUnit;

/// Estimates from recent runs whether work is short enough for an event loop.
///
/// A short run adds one to the score, up to sixty; a long run subtracts thirty. Work counts as
/// short at a score of thirty or more, so few runs on an event loop are long.
final class DurationEstimator {
  /// About the time that it takes to hand work to another thread.
  private static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private static final int SURE = 30;

  private int score;

  /// Returns whether the work is known to be short.
  synchronized boolean isShort() {
    return score >= SURE;
  }

  synchronized void ran(long nanos) {
    boolean wasShort = nanos < SHORT_NANOS;
    score = wasShort ? Math.min(2 * SURE, score + 1) : Math.max(0, score - SURE);
  }
}
