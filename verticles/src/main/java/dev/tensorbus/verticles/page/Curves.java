// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import dev.tensorbus.verticles.page.Curve.Point;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The curves of all workers of a run. Their number and the number of all points are bounded. Not
/// thread-safe.
final class Curves {
  private static final int MOST_CURVES = 1024;

  /// The points of all curves together, unless each curve would have fewer than [#LEAST_POINTS].
  private static final int MOST_POINTS = 1 << 15;

  private static final int LEAST_POINTS = 64;
  private static final int MOST_POINTS_OF_ONE = 1024;

  private final Map<Name, Curve> curves = new LinkedHashMap<>();

  private record Name(String worker, String tag) {}

  /// Adds a point to a curve. Ignores the point if there are too many curves.
  void add(String worker, String tag, Point point) {
    Name name = new Name(worker, tag);
    if (curves.size() < MOST_CURVES || curves.containsKey(name)) {
      int most = Math.clamp(MOST_POINTS / (curves.size() + 1), LEAST_POINTS, MOST_POINTS_OF_ONE);
      curves.computeIfAbsent(name, any -> new Curve()).add(point, most);
    }
  }

  /// Returns the points as lines of a run, in order of time.
  List<JsonObject> lines() {
    record Line(Name name, Point point) {}
    List<Line> lines = new ArrayList<>();
    curves.forEach(
        (name, curve) -> curve.points().forEach(point -> lines.add(new Line(name, point))));
    return lines.stream()
        .sorted(Comparator.comparingLong(line -> line.point().time()))
        .map(line -> line(line.name().worker(), line.name().tag(), line.point()))
        .toList();
  }

  /// Returns a point in the format of [dev.tensorbus.optim.training.curve.JsonLinesWriter], with
  /// the worker.
  static JsonObject line(String worker, String tag, Point point) {
    return new JsonObject()
        .put(tag, WorkerReport.finite(point.value()))
        .put("time", Instant.ofEpochMilli(point.time()))
        .put("step", point.step())
        .put("worker", worker);
  }
}
