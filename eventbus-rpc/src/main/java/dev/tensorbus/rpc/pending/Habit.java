// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.pending;

import java.util.concurrent.TimeUnit;

/// Learns of one function what brings its answer sooner, and of an event loop what brings its next
/// message: to look out for it or to sleep at once. That depends on the machine, on what else runs
/// there, and on the function.
final class Habit {
  /// Longer than a call with 64 KiB takes to the next process and back, with room for a machine
  /// that is slow just now: what is a little longer than the look would always be slept for.
  static final long LONGEST_LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /// Of so many calls or messages some go the other way, since what pays may change. Those follow
  /// each other, so that they find the machine as that way leaves it.
  private static final int PERIOD = 512;

  private static final int TRIALS = 16;

  /// How far a median moves towards a call that took more or less.
  private static final double STEP = 1.1;

  private double looking;
  private double sleeping;
  private int calls;

  /// Whether to look out for the next one.
  synchronized boolean looks() {
    boolean pays = looking <= sleeping && looking < LONGEST_LOOK_NANOS;
    boolean isTrial = calls++ % PERIOD < TRIALS;
    return isTrial != pays;
  }

  /// Notes how long it took.
  synchronized void took(boolean looked, long nanos) {
    if (looked) {
      looking = moved(looking, nanos);
    } else {
      sleeping = moved(sleeping, nanos);
    }
  }

  /// The median of what was seen, so far as it is known: a few calls of milliseconds, which both
  /// ways have, do not count for more than others.
  private static double moved(double median, long nanos) {
    if (median == 0) {
      return nanos;
    }
    return nanos > median ? median * STEP : median / STEP;
  }
}
