// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.digits;

import java.util.List;

/// One style of a digit: the strokes of the pen, each of which is a smooth curve through points.
///
/// @param strokes the points of each stroke, as alternating x and y from 0 to 100, with y pointing
///     down; a new stroke starts at each corner
record Glyph(List<int[]> strokes) {
  private static final int POINTS_PER_SPAN = 6;

  /// Returns the strokes as polylines: alternating x and y from -0.5 to 0.5.
  List<float[]> lines() {
    return strokes.stream().map(Glyph::curve).toList();
  }

  /// Samples the Catmull-Rom spline through a stroke's points.
  private static float[] curve(int... stroke) {
    int spans = stroke.length / 2 - 1;
    float[] curve = new float[2 * (spans * POINTS_PER_SPAN + 1)];
    for (int i = 0; i < curve.length; i++) {
      int point = i / 2;
      int span = Math.min(point / POINTS_PER_SPAN, spans - 1);
      float t = (point - span * POINTS_PER_SPAN) / (float) POINTS_PER_SPAN;
      int axis = i % 2;
      float before = stroke[2 * Math.max(span - 1, 0) + axis];
      float from = stroke[2 * span + axis];
      float to = stroke[2 * span + 2 + axis];
      float after = stroke[2 * Math.min(span + 2, spans) + axis];
      curve[i] = between(before, from, to, after, t) / 100 - 0.5f;
    }
    return curve;
  }

  private static float between(float before, float from, float to, float after, float t) {
    float slope = to - before;
    float curvature = 2 * before - 5 * from + 4 * to - after;
    float twist = 3 * (from - to) + after - before;
    return from + t * (slope + t * (curvature + t * twist)) / 2;
  }
}
