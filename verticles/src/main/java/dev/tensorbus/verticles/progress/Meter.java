// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import java.time.Duration;
import java.util.function.LongSupplier;

/// Adds up the steps, samples and losses that workers report. Not thread-safe.
final class Meter {
  private final LongSupplier nanoTime;
  private long total;
  private long done;
  private long begin;

  private long takenAt;
  private long samples;
  private long steps;
  private double losses;

  Meter(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  void start(long more) {
    if (total == 0) {
      begin = nanoTime.getAsLong();
      takenAt = begin;
    }
    total += more;
  }

  void step(int newSamples, float loss) {
    done++;
    steps++;
    samples += newSamples;
    losses += loss;
  }

  long done() {
    return done;
  }

  long total() {
    return total;
  }

  Duration sinceTaken() {
    return Duration.ofNanos(nanoTime.getAsLong() - takenAt);
  }

  /// Returns the values since the last reading and starts a new interval.
  Reading take() {
    long now = nanoTime.getAsLong();
    double seconds = Math.max(1, now - takenAt) / 1e9;
    double left = (double) (now - begin) / Math.max(1, done) * Math.max(0, total - done);
    Reading reading =
        new Reading(losses / Math.max(1, steps), samples / seconds, Duration.ofNanos((long) left));
    takenAt = now;
    samples = 0;
    steps = 0;
    losses = 0;
    return reading;
  }

  /// Mean loss and speed since the previous reading, and the time left at the average speed.
  record Reading(double loss, double samplesPerSecond, Duration left) {}
}
