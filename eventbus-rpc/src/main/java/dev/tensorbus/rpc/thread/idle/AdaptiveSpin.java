// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.util.concurrent.TimeUnit;

/// Estimates the median latency of one function, or of an event loop's next message, with and
/// without spinning, and selects the faster mode. Which mode is faster depends on the machine, its
/// load and the function.
final class AdaptiveSpin {
  /// The maximum time to spin: longer than a 64 KiB call to another process takes, with a margin
  /// for a loaded machine. A thread that stops spinning slightly too early pays for both spinning
  /// and parking.
  static final long LONGEST_SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /// The minimum number of calls between the starts of two trials of the slower mode. Trials are
  /// repeated because the faster mode may change.
  private static final int PERIOD = 512;

  /// The minimum time between the starts of two trials once their outcome is stable. The threads
  /// and event loops that take part in a call run trials independently; more trials would dominate
  /// the slowest 1 % of all calls.
  private static final long SETTLED_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /// The number of calls in a trial. They are consecutive, so that each call finds the machine in
  /// the state in which the tried mode leaves it.
  private static final int TRIALS = 16;

  /// The factor by which a faster or slower call moves the median.
  private static final double STEP = 1.1;

  /// A trial that changes the median by a smaller factor confirms the previous estimate.
  private static final double NOTHING_NEW = 2;

  private final NanoClock clock;
  private double spinning;
  private double parking;

  /// Calls since the last trial began.
  private int calls;

  private long trialBegan;
  private boolean trialSpins;
  private double medianBeforeTrial;
  private boolean isSettled;

  /// @param clock decides when to run the next trial
  AdaptiveSpin(NanoClock clock) {
    this.clock = clock;
  }

  /// Returns whether to spin for the next answer.
  synchronized boolean spins() {
    boolean pays = spinning <= parking && spinning < LONGEST_SPIN_NANOS;
    return isTrial(pays) ? trialSpins : pays;
  }

  private boolean isTrial(boolean pays) {
    if (calls == TRIALS) {
      endTrial();
    }
    if (calls == 0 || isTrialDue()) {
      beginTrial(!pays);
    }
    return calls++ < TRIALS;
  }

  private boolean isTrialDue() {
    return calls >= PERIOD && (!isSettled || clock.nanoTime() - trialBegan >= SETTLED_PERIOD_NANOS);
  }

  private void beginTrial(boolean spin) {
    calls = 0;
    trialBegan = clock.nanoTime();
    trialSpins = spin;
    medianBeforeTrial = medianOfTrial();
  }

  private void endTrial() {
    double now = medianOfTrial();
    isSettled = now < medianBeforeTrial * NOTHING_NEW && now * NOTHING_NEW > medianBeforeTrial;
  }

  private double medianOfTrial() {
    return trialSpins ? spinning : parking;
  }

  /// Records how long a wait took, with or without spinning.
  synchronized void took(boolean spun, long nanos) {
    if (spun) {
      spinning = moved(spinning, nanos);
    } else {
      parking = moved(parking, nanos);
    }
  }

  /// Returns the updated median. Rare calls of several milliseconds, which occur in both modes,
  /// have no more influence than other calls.
  private static double moved(double median, long nanos) {
    if (median == 0) {
      return nanos;
    }
    return nanos > median ? median * STEP : median / STEP;
  }
}
