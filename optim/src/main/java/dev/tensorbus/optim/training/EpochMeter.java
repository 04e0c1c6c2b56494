// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.training;

import dev.tensorbus.rpc.thread.time.NanoClock;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Measures the throughput of one epoch and formats progress reports.
final class EpochMeter {
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

  /// The first steps also load and compile code; on a device, they are traced in Java.
  private static final int FIRST_STEPS = 2;

  private final NanoClock clock;
  private final Advance advance;
  private final int batches;
  private final long begin;
  private long saidAt;
  private long examples;

  /// The number of first steps so far.
  private int firstSteps;

  /// Where the estimate of the time left begins: the end of the last of the first steps.
  private int firstBatches;

  private long firstEnd;
  private long firstExamples;

  /// @param advance the progress of the run; after a resume, including the batches finished earlier
  /// @param batches number of batches in the epoch
  EpochMeter(Advance advance, int batches, NanoClock clock) {
    this.advance = advance;
    this.batches = batches;
    this.clock = clock;
    this.begin = clock.nanoTime();
    this.saidAt = begin;
  }

  /// Adds the number of examples in a step that has ended.
  void add(long count) {
    examples += count;
    if (firstSteps < FIRST_STEPS) {
      firstSteps++;
      firstBatches = advance.batches();
      firstEnd = clock.nanoTime();
      firstExamples = examples;
    }
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

  /// Formats the progress, such as `batch 120/375  loss 0.3412  1473 samples/s  0:06 left`. Speed
  /// and time left follow after the third step.
  @Override
  public String toString() {
    int batch = advance.batches();
    String progress =
        String.format(
            Locale.ROOT, "batch %d/%d  loss %.4f", batch, batches, advance.loss().value());
    if (batch <= firstBatches) {
      return progress;
    }
    double seconds = Math.max(1e-9, (clock.nanoTime() - firstEnd) / 1e9);
    long left = Math.round(seconds / (batch - firstBatches) * (batches - batch));
    return String.format(
        Locale.ROOT,
        "%s  %.0f samples/s  %d:%02d left",
        progress,
        (examples - firstExamples) / seconds,
        left / 60,
        left % 60);
  }
}
