// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.thread.idle;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.util.concurrent.TimeUnit;

/// Records one function's median latency with and without spinning, or that of an event loop's
/// next message, and uses the faster way. Which one is faster depends on the machine, on what else
/// runs there, and on the function.
final class AdaptiveSpin {
  /// Longer than a call with 64 KiB takes to the next process and back, with room for a machine
  /// that is slow just now: a thread that stopped a little too early would always pay for both.
  static final long LONGEST_SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(500);

  /// Calls between the beginnings of two trials of the slower way, since the faster way may change.
  private static final int PERIOD = 512;

  /// Time between two trials, at least, once their outcome does not change any more. The threads
  /// and event loops of a call try independently; more trials would make up the slowest hundredth
  /// of all calls.
  private static final long SETTLED_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

  /// The calls of a trial follow each other, so that they find the machine as their way leaves it.
  private static final int TRIALS = 16;

  /// How far a median moves towards a call that took more or less.
  private static final double STEP = 1.1;

  /// A trial that moves a median by less has found nothing new.
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

  /// @param clock by which it decides when to try again
  AdaptiveSpin(NanoClock clock) {
    this.clock = clock;
  }

  /// Whether to spin for the next one.
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

  /// Records how long it took.
  synchronized void took(boolean spun, long nanos) {
    if (spun) {
      spinning = moved(spinning, nanos);
    } else {
      parking = moved(parking, nanos);
    }
  }

  /// The median so far. A few calls of milliseconds, which both ways have, do not count for more
  /// than others.
  private static double moved(double median, long nanos) {
    if (median == 0) {
      return nanos;
    }
    return nanos > median ? median * STEP : median / STEP;
  }
}
