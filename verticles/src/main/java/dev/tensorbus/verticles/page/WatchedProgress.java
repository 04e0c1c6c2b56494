// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.rpc.Progress;
import dev.tensorbus.rpc.thread.time.NanoClock;
import dev.tensorbus.verticles.page.Curve.Point;
import dev.tensorbus.verticles.page.WorkerReport.TagPoint;
import dev.tensorbus.verticles.page.WorkerReport.Training;
import dev.tensorbus.verticles.progress.StepTimes;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Records the progress of a worker, for the page.
final class WatchedProgress implements Progress {
  private static final int MOST_SCALARS = 32;

  /// The points of one curve in a report. The steps of a fast training are merged.
  private static final int MOST_POINTS = 16;

  private static final int MOST_DESCRIPTIONS = 64;
  private static final int LONGEST_DESCRIPTION = 10_000;

  private final LogTail log;
  private final NanoClock clock;
  private final StepTimes times;
  private final Map<String, Double> scalars = new TreeMap<>();
  private final Map<String, Curve> curves = new LinkedHashMap<>();
  private final Map<String, String> descriptions = new LinkedHashMap<>();
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
        WorkerReport.finite(loss),
        planned == 0 ? 0 : since / 1_000_000,
        times.isSettled() ? times.median() / 1e6 : null,
        scalars);
  }

  /// Removes and returns the points since the last call.
  synchronized List<TagPoint> takePoints() {
    List<TagPoint> taken = new ArrayList<>();
    long now = now();
    curves.forEach(
        (tag, curve) -> curve.points().forEach(point -> taken.add(TagPoint.of(tag, point, now))));
    curves.clear();
    return taken;
  }

  /// Removes and returns the descriptions since the last call, by name.
  synchronized JsonObject takeDescriptions() {
    JsonObject taken = new JsonObject();
    descriptions.forEach(taken::put);
    descriptions.clear();
    return taken;
  }

  private long now() {
    return clock.nanoTime() / 1_000_000;
  }

  private void add(String tag, double value) {
    if (curves.containsKey(tag) || curves.size() <= MOST_SCALARS) {
      curves
          .computeIfAbsent(tag, any -> new Curve())
          .add(new Point(now(), times.steps(), value), MOST_POINTS);
    }
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
    add("loss", newLoss);
  }

  @Override
  public synchronized void scalar(String tag, double value) {
    add(tag, value);
    if (Double.isFinite(value) && (scalars.containsKey(tag) || scalars.size() < MOST_SCALARS)) {
      scalars.put(tag, value);
    }
  }

  @Override
  public synchronized void describe(String name, String text) {
    if (descriptions.containsKey(name) || descriptions.size() < MOST_DESCRIPTIONS) {
      descriptions.put(name, text.substring(0, Math.min(text.length(), LONGEST_DESCRIPTION)));
    }
  }

  @Override
  public void say(String line) {
    log.add("SAID", line);
  }
}
