// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.digits;

import java.util.List;
import java.util.random.RandomGenerator;

/// One writer's hand on one occasion: how it turns, slants, stretches and bends a [Glyph], and how
/// large and where it writes it.
///
/// @param bendX moves points to the side, before all else
/// @param bendY moves points up and down
/// @param angle by how many radians a glyph is turned
/// @param slant how far its top leans over, as a share of its height
/// @param width its width for a height of one
/// @param size the longer side in the end, in pixels
/// @param shiftX how far it is off the picture's middle, in pixels
/// @param shiftY the same for the height
record Handwriting(
    Wave bendX,
    Wave bendY,
    float angle,
    float slant,
    float width,
    float size,
    float shiftX,
    float shiftY) {

  /// Draws a hand at random.
  static Handwriting random(RandomGenerator random) {
    return new Handwriting(
        Wave.random(random),
        Wave.random(random),
        normal(random, 0, 0.12f),
        normal(random, 0.1f, 0.18f),
        normal(random, 0.86f, 0.13f),
        normal(random, 19.5f, 0.8f),
        normal(random, 0, 0.7f),
        normal(random, 0, 0.7f));
  }

  /// A normally distributed number, cut off at twice its deviation.
  private static float normal(RandomGenerator random, float mean, float deviation) {
    return mean + deviation * Math.clamp((float) random.nextGaussian(), -2f, 2f);
  }

  /// Writes a glyph: its strokes as lines between points, x and y in turn, in pixels.
  List<float[]> write(Glyph glyph) {
    List<float[]> lines = glyph.lines();
    lines.forEach(this::distort);
    fit(lines);
    return lines;
  }

  private void distort(float... line) {
    float cos = (float) Math.cos(angle);
    float sin = (float) Math.sin(angle);
    for (int i = 0; i < line.length; i += 2) {
      float y = line[i + 1] + bendY.at(line[i], line[i + 1]);
      float x = width * (line[i] + bendX.at(line[i], line[i + 1])) - slant * y;
      line[i] = cos * x - sin * y;
      line[i + 1] = sin * x + cos * y;
    }
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

  /// A slow wave over the paper: near points move alike, so strokes that touch still do.
  private record Wave(float alongX, float alongY, float phase) {
    static Wave random(RandomGenerator random) {
      return new Wave(
          5 * random.nextFloat(), 5 * random.nextFloat(), (float) (Math.TAU * random.nextFloat()));
    }

    float at(float x, float y) {
      return 0.055f * (float) Math.sin(alongX * x + alongY * y + phase);
    }
  }
}
