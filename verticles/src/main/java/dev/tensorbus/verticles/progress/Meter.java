// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.progress;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.time.Duration;

/// Adds up the steps, samples and losses that workers report. Not thread-safe.
final class Meter {
  private final NanoClock clock;
  private long total;
  private long done;
  private long begin;

  private long takenAt;
  private long samples;
  private long steps;
  private double losses;

  Meter(NanoClock clock) {
    this.clock = clock;
  }

  void start(long more) {
    if (total == 0) {
      begin = clock.nanoTime();
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
    return Duration.ofNanos(clock.nanoTime() - takenAt);
  }

  /// Returns the values since the last reading and starts a new interval.
  Reading take() {
    long now = clock.nanoTime();
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
