// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// One writer's hand on one occasion: how it turns, slants, stretches and bends a [Glyph], and how
/// large and where it writes it.
final class Handwriting {
  private static final int POINTS_PER_SPAN = 6;

  // The linear map of a glyph around its middle.
  private final float xx;
  private final float xy;
  private final float yx;
  private final float yy;
  // A slow wave that bends the paper: points that are one stay one.
  private final float bend;
  private final float bendX;
  private final float bendY;
  private final float phaseX;
  private final float phaseY;
  // In pixels.
  private final float size;
  private final float shiftX;
  private final float shiftY;

  /// Draws a hand at random.
  Handwriting(RandomGenerator random) {
    float angle = normal(random, 0.1f);
    float slant = 0.1f + normal(random, 0.16f);
    float width = 0.84f + normal(random, 0.12f);
    float cos = (float) Math.cos(angle);
    float sin = (float) Math.sin(angle);
    // Stretch, then slant, then turn.
    xx = cos * width;
    xy = -cos * slant - sin;
    yx = sin * width;
    yy = -sin * slant + cos;
    bend = 0.05f;
    bendX = 3 * random.nextFloat();
    bendY = 3 * random.nextFloat();
    phaseX = 6.3f * random.nextFloat();
    phaseY = 6.3f * random.nextFloat();
    size = 19.5f + normal(random, 0.8f);
    shiftX = normal(random, 0.6f);
    shiftY = normal(random, 0.6f);
  }

  /// A normally distributed number, cut off at twice its deviation.
  private static float normal(RandomGenerator random, float deviation) {
    float unit = (float) random.nextGaussian();
    return deviation * Math.clamp(unit, -2f, 2f);
  }

  /// Writes a glyph: its strokes as lines between points, x and y in turn, in pixels.
  List<float[]> write(Glyph glyph) {
    List<float[]> lines = new ArrayList<>();
    for (int[] stroke : glyph.strokes()) {
      lines.add(distorted(curve(stroke)));
    }
    fit(lines);
    return lines;
  }

  /// Points on the curve of Catmull and Rom through a stroke's points.
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

  private float[] distorted(float... curve) {
    for (int i = 0; i < curve.length; i += 2) {
      float x = curve[i] + bend * (float) Math.sin(bendX * curve[i] + 5 * curve[i + 1] + phaseX);
      float y =
          curve[i + 1] + bend * (float) Math.sin(5 * curve[i] + bendY * curve[i + 1] + phaseY);
      curve[i] = xx * x + xy * y;
      curve[i + 1] = yx * x + yy * y;
    }
    return curve;
  }

  /// Scales the longer side to this hand's size and puts the middle near the picture's.
  private void fit(List<float[]> lines) {
    Range x = Range.of(lines, 0);
    Range y = Range.of(lines, 1);
    float scale = size / Math.max(x.length(), y.length());
    float middle = (Digits.SIDE - 1) / 2f;
    for (float[] line : lines) {
      for (int i = 0; i < line.length; i += 2) {
        line[i] = middle + shiftX + scale * (line[i] - x.middle());
        line[i + 1] = middle + shiftY + scale * (line[i + 1] - y.middle());
      }
    }
  }

  private record Range(float min, float max) {
    static Range of(List<float[]> lines, int axis) {
      float min = Float.POSITIVE_INFINITY;
      float max = Float.NEGATIVE_INFINITY;
      for (float[] line : lines) {
        for (int i = axis; i < line.length; i += 2) {
          min = Math.min(min, line[i]);
          max = Math.max(max, line[i]);
        }
      }
      return new Range(min, max);
    }

    float length() {
      return max - min;
    }

    float middle() {
      return (min + max) / 2;
    }
  }
}
