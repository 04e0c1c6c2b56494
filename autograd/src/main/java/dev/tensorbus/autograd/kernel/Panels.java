// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static dev.tensorbus.autograd.kernel.Tile.LANES;
import static dev.tensorbus.autograd.kernel.Tile.SPECIES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/// Packs lines into panels, in the order in which [Tile] reads them: a panel of `width` lines
/// holds their `width` values of p = 0, then those of p = 1, and so on. Lines that are not there
/// are zero.
final class Panels {
  /// How many lines are turned at a time.
  private static final int LINES_TURNED = 8;

  private Panels() {}

  /// The length of panels of `width` that hold `count` lines.
  static int length(int count, int depth, int width) {
    return padded(count, width) * depth;
  }

  /// The number of lines in panels of `width` that hold `count`.
  static int padded(int count, int width) {
    return (count + width - 1) / width * width;
  }

  /// Packs `count` lines into as many panels as they need, from `target[at]` on.
  static void packAll(Lines lines, int count, int depth, int width, float[] target, int at) {
    for (int line = 0; line < count; line += width) {
      int present = Math.min(width, count - line);
      pack(lines.from(line, 0), present, depth, width, target, at + line * depth);
    }
  }

  /// Packs one panel of `present` lines.
  static void pack(Lines lines, int present, int depth, int width, float[] target, int at) {
    if (present < width) {
      Arrays.fill(target, at, at + depth * width, 0f);
    }
    if (lines.step() == 1) {
      packTransposed(lines, present, depth, width, target, at);
    } else if (lines.stride() == 1 && present == width && width % LANES == 0) {
      packVectors(lines, depth, width, target, at);
    } else {
      packAdjacent(lines, present, depth, width, target, at);
    }
  }

  /// Turns `count` lines of adjacent values: those of p = 0 come first, then those of p = 1.
  static void turn(Lines lines, int count, int depth, float[] target, int at) {
    packTransposed(lines, count, depth, count, target, at);
  }

  private static void packVectors(Lines lines, int depth, int width, float[] target, int at) {
    float[] source = lines.values();
    int start = lines.start();
    int step = lines.step();
    for (int p = 0; p < depth; p++) {
      for (int j = 0; j < width; j += LANES) {
        FloatVector.fromArray(SPECIES, source, start + p * step + j)
            .intoArray(target, at + p * width + j);
      }
    }
  }

  private static void packAdjacent(
      Lines lines, int present, int depth, int width, float[] target, int at) {
    float[] source = lines.values();
    int stride = lines.stride();
    for (int p = 0; p < depth; p++) {
      int start = lines.start() + p * lines.step();
      for (int j = 0; j < present; j++) {
        target[at + p * width + j] = source[start + j * stride];
      }
    }
  }

  /// Lines that lie in memory one value after the other are turned, eight at a time, so that what
  /// is read and what is written stay in the cache. Plain loops: the same in vector shuffles is a
  /// few percent faster in some JVMs, but in others C2 stops inlining it and boxes every vector,
  /// which halves the speed of products.
  private static void packTransposed(
      Lines lines, int present, int depth, int width, float[] target, int at) {
    float[] source = lines.values();
    int stride = lines.stride();
    for (int line = 0; line < present; line += LINES_TURNED) {
      int end = Math.min(present, line + LINES_TURNED);
      for (int p = 0; p < depth; p++) {
        for (int j = line; j < end; j++) {
          target[at + p * width + j] = source[lines.start() + j * stride + p];
        }
      }
    }
  }
}
