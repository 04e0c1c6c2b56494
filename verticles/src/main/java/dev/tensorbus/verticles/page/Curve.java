// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Loss and speed over the course of a run. Whenever the curve is full, neighbouring points are
/// merged, so the points of a long run are further apart. Not thread-safe.
final class Curve {
  private static final int MOST_POINTS = 600;

  private final List<Point> points = new ArrayList<>();
  private int stride = 1;
  private long ticks;
  private long lastSamples;
  private double lastSeconds;

  /// @param seconds the time since the start of the run
  /// @param samplesPerSecond the speed since the previous point
  private record Point(double seconds, @Nullable Double loss, double samplesPerSecond) {}

  /// Adds the current values. Must be called at regular intervals.
  ///
  /// @param seconds the time since the start of the run
  /// @param samples the number of examples so far
  void add(double seconds, long samples, @Nullable Double loss) {
    if (ticks++ % stride == 0 && seconds > lastSeconds) {
      double speed = (samples - lastSamples) / (seconds - lastSeconds);
      points.add(new Point(seconds, loss, speed));
      lastSamples = samples;
      lastSeconds = seconds;
      if (points.size() == MOST_POINTS) {
        halve();
      }
    }
  }

  private void halve() {
    List<Point> half = new ArrayList<>();
    for (int i = 1; i < points.size(); i += 2) {
      Point odd = points.get(i - 1);
      Point even = points.get(i);
      double speed = (odd.samplesPerSecond + even.samplesPerSecond) / 2;
      half.add(new Point(even.seconds, even.loss, speed));
    }
    points.clear();
    points.addAll(half);
    stride *= 2;
  }

  /// Returns one array per quantity, as uPlot expects.
  JsonObject toJson() {
    JsonArray seconds = new JsonArray();
    JsonArray loss = new JsonArray();
    JsonArray speed = new JsonArray();
    for (Point point : points) {
      seconds.add(Math.round(point.seconds * 10) / 10.0);
      loss.add(point.loss);
      speed.add(Math.round(point.samplesPerSecond * 10) / 10.0);
    }
    return new JsonObject().put("seconds", seconds).put("loss", loss).put("speed", speed);
  }
}
