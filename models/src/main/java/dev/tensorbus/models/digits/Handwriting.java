// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.digits;

import java.util.List;
import java.util.random.RandomGenerator;

/// A random style of handwriting, which determines the distortion, size and position of a drawn
/// [Glyph].
///
/// @param bendX horizontal distortion, applied before the other transformations
/// @param bendY vertical distortion, applied before the other transformations
/// @param angle rotation in radians
/// @param slant horizontal shear, as a fraction of the height
/// @param width factor by which the width is scaled
/// @param size final length of the longer side, in pixels
/// @param shiftX horizontal distance from the image's centre, in pixels
/// @param shiftY vertical distance from the image's centre, in pixels
record Handwriting(
    Wave bendX,
    Wave bendY,
    float angle,
    float slant,
    float width,
    float size,
    float shiftX,
    float shiftY) {

  /// Returns a random style of handwriting.
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

  /// Returns a normally distributed number, clamped to two standard deviations.
  private static float normal(RandomGenerator random, float mean, float deviation) {
    return mean + deviation * Math.clamp((float) random.nextGaussian(), -2f, 2f);
  }

  /// Returns the polylines of a glyph in this handwriting: alternating x and y, in pixels.
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

  /// Scales the longer side to `size`, and moves the glyph to its position near the image's centre.
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

  /// A wave of low frequency that distorts the glyph. Nearby points move alike, so strokes that
  /// touch stay connected.
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
