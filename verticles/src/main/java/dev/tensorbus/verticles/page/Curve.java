// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Loss and speed over the time of a run, in points that become rarer as the run becomes longer.
/// Its owner guards it.
final class Curve {
  private static final int MOST_POINTS = 600;

  private final List<Point> points = new ArrayList<>();
  private int stride = 1;
  private long ticks;
  private long lastSamples;
  private double lastSeconds;

  /// @param seconds since the run began
  /// @param samplesPerSecond since the point before
  private record Point(double seconds, @Nullable Double loss, double samplesPerSecond) {}

  /// Tells of the present; to be called at even times.
  ///
  /// @param seconds since the run began
  /// @param samples all examples so far
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

  /// The points as one list for each quantity, as uPlot draws them.
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
