// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.page;

import java.util.ArrayList;
import java.util.List;

/// The values of one quantity over the course of a run. Whenever the curve is full, neighbouring
/// points are merged, so the points of a long run are further apart. Not thread-safe.
final class Curve {
  private final List<Point> points = new ArrayList<>();
  private int stride = 1;
  private int merged;
  private double sum;

  /// A value, or the mean of neighbouring values.
  ///
  /// @param time in milliseconds
  /// @param step the number of completed steps
  /// @param value may be NaN or infinite
  record Point(long time, long step, double value) {}

  /// Adds a point, and merges neighbouring points if there are more than `most`.
  void add(Point point, int most) {
    if (merged == stride) {
      merged = 0;
      sum = 0;
    } else if (merged > 0) {
      points.removeLast();
    }
    merged++;
    sum += point.value();
    points.add(new Point(point.time(), point.step(), sum / merged));
    while (points.size() > most) {
      halve();
    }
  }

  /// Merges each pair of neighbours. A last point without a neighbour stays as it is.
  private void halve() {
    List<Point> half = new ArrayList<>();
    for (int i = 0; i < points.size(); i += 2) {
      Point first = points.get(i);
      Point second = points.get(Math.min(i + 1, points.size() - 1));
      double mean = (first.value() + second.value()) / 2;
      half.add(new Point(second.time(), second.step(), mean));
    }
    boolean isPaired = points.size() % 2 == 0;
    merged = isPaired ? stride + merged : merged;
    sum = half.getLast().value() * merged;
    stride *= 2;
    points.clear();
    points.addAll(half);
  }

  /// Returns the points, the oldest first.
  List<Point> points() {
    return List.copyOf(points);
  }
}
