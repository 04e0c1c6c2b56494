// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.verticles.page.WorkerReport.Training;
import dev.tensorbus.verticles.progress.StepTimes;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Records the progress of a worker, for the page.
final class WatchedProgress implements Progress {
  private static final int MOST_SCALARS = 32;

  private final LogTail log;
  private final NanoClock clock;
  private final StepTimes times;
  private final Map<String, Double> scalars = new TreeMap<>();
  private long planned;
  private long begun;
  private long samples;
  private float loss = Float.NaN;

  /// @param log receives the lines for the user
  WatchedProgress(LogTail log, NanoClock clock) {
    this.log = log;
    this.clock = clock;
    times = new StepTimes(clock);
  }

  synchronized Training report() {
    long since = times.steps() == 0 ? clock.nanoTime() - begun : times.sinceLast();
    return new Training(
        planned,
        times.steps(),
        samples,
        finite(loss),
        planned == 0 ? 0 : since / 1_000_000,
        times.isSettled() ? times.median() / 1e6 : null,
        scalars);
  }

  /// Returns null for NaN and infinity, which JSON does not have.
  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? value : null;
  }

  @Override
  public synchronized void start(long more) {
    if (planned == 0) {
      begun = clock.nanoTime();
    }
    planned += more;
  }

  @Override
  public synchronized void step(int newSamples, float newLoss) {
    times.step();
    samples += newSamples;
    loss = newLoss;
  }

  @Override
  public synchronized void scalar(String tag, double value) {
    if (Double.isFinite(value) && (scalars.containsKey(tag) || scalars.size() < MOST_SCALARS)) {
      scalars.put(tag, value);
    }
  }

  @Override
  public void say(String line) {
    log.add("SAID", line);
  }
}
