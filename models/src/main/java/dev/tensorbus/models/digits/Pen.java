// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.digits;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// A pen, and how its lines look when scanned: their width and darkness, the blur of their edges,
/// and the noise.
///
/// @param radius half the line width, in pixels
/// @param blur width of the soft edge, in pixels
/// @param darkness grey value of full ink
/// @param grain standard deviation of the noise in inked pixels, in grey values
record Pen(float radius, float blur, float darkness, float grain) {
  /// Returns a random pen.
  static Pen random(RandomGenerator random) {
    return new Pen(
        0.9f + 1f * random.nextFloat(),
        1f + 0.9f * random.nextFloat(),
        225 + 30 * random.nextFloat(),
        4 + 14 * random.nextFloat());
  }

  /// Draws polylines into one of the images in `pixels`, which must be blank.
  ///
  /// @param lines the points of each line, as alternating x and y
  /// @param from offset of the image in `pixels`
  void draw(List<float[]> lines, byte[] pixels, int from, RandomGenerator random) {
    float[] distances = distances(lines);
    for (int i = 0; i < distances.length; i++) {
      float ink = ink(distances[i]);
      if (ink > 0) {
        float grey = ink * darkness + grain * (float) random.nextGaussian();
        pixels[from + i] = (byte) Math.clamp(Math.round(grey), 0, 255);
      }
    }
  }

  /// Returns the ink at a distance from the middle of a line: 1 inside, 0 outside, and a smooth
  /// transition at the edge.
  private float ink(float distance) {
    float t = Math.clamp((radius - distance) / blur + 0.5f, 0f, 1f);
    return t * t * (3 - 2 * t);
  }

  /// Returns each pixel's distance to the middle of the nearest line, or infinity if no line
  /// reaches the pixel.
  private float[] distances(List<float[]> lines) {
    float[] squares = new float[Digits.PIXELS];
    Arrays.fill(squares, Float.POSITIVE_INFINITY);
    for (float[] line : lines) {
      for (int i = 0; i + 3 < line.length; i += 2) {
        measure(squares, line[i], line[i + 1], line[i + 2] - line[i], line[i + 3] - line[i + 1]);
      }
    }
    for (int i = 0; i < squares.length; i++) {
      squares[i] = (float) Math.sqrt(squares[i]);
    }
    return squares;
  }

  /// Lowers `squares` to the squared distances from the segment between `(x, y)` and `(x + dx, y +
  /// dy)`, for the nearby pixels where these are smaller.
  private void measure(float[] squares, float x, float y, float dx, float dy) {
    float reach = radius + blur / 2;
    float squaredLength = Math.max(dx * dx + dy * dy, 1e-6f);
    int bottom = last(Math.max(y, y + dy) + reach);
    int right = last(Math.max(x, x + dx) + reach);
    for (int row = first(Math.min(y, y + dy) - reach); row <= bottom; row++) {
      for (int column = first(Math.min(x, x + dx) - reach); column <= right; column++) {
        float px = column - x;
        float py = row - y;
        float along = Math.clamp((px * dx + py * dy) / squaredLength, 0f, 1f);
        float ex = px - along * dx;
        float ey = py - along * dy;
        int pixel = row * Digits.SIDE + column;
        squares[pixel] = Math.min(squares[pixel], ex * ex + ey * ey);
      }
    }
  }

  private static int first(float edge) {
    return Math.max(0, (int) Math.ceil(edge));
  }

  private static int last(float edge) {
    return Math.min(Digits.SIDE - 1, (int) Math.floor(edge));
  }
}
