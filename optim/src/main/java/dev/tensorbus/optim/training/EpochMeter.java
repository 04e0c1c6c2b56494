// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// How fast one epoch goes on, and, from time to time, how far it is.
final class EpochMeter {
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final LongSupplier nanoTime;
  private final Advance advance;
  private final int batches;
  private final int batchesBefore;
  private final long begin;
  private long saidAt;
  private long examples;

  /// @param advance of which some batches may be over, before a checkpoint
  /// @param batches how many the epoch has
  EpochMeter(Advance advance, int batches, LongSupplier nanoTime) {
    this.advance = advance;
    this.batches = batches;
    this.batchesBefore = advance.batches();
    this.nanoTime = nanoTime;
    this.begin = nanoTime.getAsLong();
    this.saidAt = begin;
  }

  /// Adds a step's examples.
  void add(long count) {
    examples += count;
  }

  /// Whether nothing was said for ten seconds; then it counts as said.
  boolean isTimeToSay() {
    long now = nanoTime.getAsLong();
    if (now - saidAt < QUIET_NANOS) {
      return false;
    }
    saidAt = now;
    return true;
  }

  double samplesPerSecond() {
    return examples / Math.max(1e-9, (nanoTime.getAsLong() - begin) / 1e9);
  }

  /// How far the epoch is: `batch 120/375  loss 0.3412  1473 samples/s  0:06 left`.
  @Override
  public String toString() {
    double seconds = (nanoTime.getAsLong() - begin) / 1e9;
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
