// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Measures the throughput of one epoch and formats progress reports.
final class EpochMeter {
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final NanoClock clock;
  private final Advance advance;
  private final int batches;
  private final int batchesBefore;
  private final long begin;
  private long saidAt;
  private long examples;

  /// @param advance the progress of the run; after a resume, including the batches finished earlier
  /// @param batches number of batches in the epoch
  EpochMeter(Advance advance, int batches, NanoClock clock) {
    this.advance = advance;
    this.batches = batches;
    this.batchesBefore = advance.batches();
    this.clock = clock;
    this.begin = clock.nanoTime();
    this.saidAt = begin;
  }

  /// Adds the number of examples in a step.
  void add(long count) {
    examples += count;
  }

  /// Returns whether a progress report is due, at most once every ten seconds.
  boolean isTimeToSay() {
    long now = clock.nanoTime();
    if (now - saidAt < QUIET_NANOS) {
      return false;
    }
    saidAt = now;
    return true;
  }

  double samplesPerSecond() {
    return examples / Math.max(1e-9, (clock.nanoTime() - begin) / 1e9);
  }

  /// Formats the progress, such as `batch 120/375  loss 0.3412  1473 samples/s  0:06 left`.
  @Override
  public String toString() {
    double seconds = (clock.nanoTime() - begin) / 1e9;
    int batch = advance.batches();
    long left = Math.round(seconds / Math.max(1, batch - batchesBefore) * (batches - batch));
    return String.format(
        Locale.ROOT,
        "batch %d/%d  loss %.4f  %.0f samples/s  %d:%02d left",
        batch,
        batches,
        advance.loss().value(),
        samplesPerSecond(),
        left / 60,
        left % 60);
  }
}
