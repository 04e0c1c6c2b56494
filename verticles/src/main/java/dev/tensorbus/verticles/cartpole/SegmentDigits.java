// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.cartpole;

import java.awt.Graphics2D;
import java.awt.geom.Line2D;

/// Draws numbers on an image as seven-segment digits, because a machine without a screen may lack
/// fonts.
final class SegmentDigits {
  private static final double WIDTH = 5;
  private static final double HALF_HEIGHT = 5;
  private static final double ADVANCE = 8;

  /// The segments of each digit: top, upper left, upper right, middle, lower left, lower right,
  /// bottom.
  private static final String[] LIT = {
    "1110111", "0010010", "1011101", "1011011", "0111010",
    "1101011", "1101111", "1010010", "1111111", "1111011"
  };

  /// The end points `{x1, y1, x2, y2}` of each segment, relative to the upper left corner, in units
  /// of the width and of half the height.
  private static final double[][] SEGMENTS = {
    {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {0, 1, 0, 2}, {1, 1, 1, 2}, {0, 2, 1, 2}
  };

  private SegmentDigits() {}

  /// Draws a number, right-aligned at `right` and vertically centred at `y`.
  static void draw(Graphics2D canvas, String digits, double right, double y) {
    double left = right - digits.length() * ADVANCE;
    for (int i = 0; i < digits.length(); i++) {
      drawDigit(canvas, digits.charAt(i) - '0', left + i * ADVANCE, y - HALF_HEIGHT);
    }
  }

  private static void drawDigit(Graphics2D canvas, int digit, double left, double top) {
    for (int segment = 0; segment < SEGMENTS.length; segment++) {
      if (LIT[digit].charAt(segment) == '1') {
        double[] ends = SEGMENTS[segment];
        canvas.draw(
            new Line2D.Double(
                left + ends[0] * WIDTH,
                top + ends[1] * HALF_HEIGHT,
                left + ends[2] * WIDTH,
                top + ends[3] * HALF_HEIGHT));
      }
    }
  }
}
