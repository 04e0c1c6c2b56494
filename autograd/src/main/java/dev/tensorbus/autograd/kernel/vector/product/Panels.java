// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.shape.Slice;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/// Packs lines into panels, in the order in which [Tile] reads them: a panel of `width` lines
/// contains the first value of each line, then the second value of each line, and so on. Missing
/// lines are filled with zeros.
public final class Panels {
  private Panels() {}

  /// Returns `count` rounded up to whole panels of `width` lines.
  public static int padded(int count, int width) {
    return (count + width - 1) / width * width;
  }

  /// Packs `count` lines into as many panels as they need.
  public static void packAll(Lines lines, int count, int depth, int width, Slice<float[]> target) {
    packAll(lines, count, depth, width, target.values(), target.start());
  }

  /// Packs `count` lines into as many panels as they need, starting at `target[at]`.
  public static void packAll(Lines lines, int count, int depth, int width, float[] target, int at) {
    int first = 0;
    if (lines.step() == 1 && width == ROWS) {
      first = count / ROWS * ROWS;
      Transpose.interleave(lines, first, depth, target, at);
    }
    for (int line = first; line < count; line += width) {
      int present = Math.min(width, count - line);
      pack(lines.from(line, 0), present, depth, width, target, at + line * depth);
    }
  }

  /// Packs one panel of `present` lines.
  private static void pack(Lines lines, int present, int depth, int width, float[] target, int at) {
    if (present < width) {
      Arrays.fill(target, at, at + depth * width, 0f);
    }
    if (lines.step() == 1) {
      Transpose.run(lines, present, depth, target, at, width);
    } else if (lines.stride() == 1 && present == ROWS && width == ROWS) {
      copyRows(lines, depth, target, at);
    } else if (lines.stride() == 1 && present == COLUMNS && width == COLUMNS) {
      copyColumns(lines, depth, target, at);
    } else if (lines.stride() == 1) {
      copy(lines, present, depth, width, target, at);
    } else {
      gather(lines, present, depth, width, target, at);
    }
  }

  private static void copy(Lines lines, int present, int depth, int width, float[] target, int at) {
    for (int p = 0; p < depth; p++) {
      int from = lines.start() + p * lines.step();
      System.arraycopy(lines.values(), from, target, at + p * width, present);
    }
  }

  /// Does the same as [#copy] with vectors: a call of `arraycopy` for every eight values would make
  /// a product that packs its left factor 20 % slower. A vector of more than eight values also
  /// overwrites part of the panel's next row, which is stored later. The last row is therefore
  /// copied separately.
  private static void copyRows(Lines lines, int depth, float[] target, int at) {
    float[] source = lines.values();
    int together = LANES > ROWS ? Math.max(0, depth - 1) : depth;
    for (int j = 0; j < ROWS; j += LANES) {
      for (int p = 0; p < together; p++) {
        int from = lines.start() + p * lines.step() + j;
        FloatVector.fromArray(SPECIES, source, from).intoArray(target, at + p * ROWS + j);
      }
    }
    if (together < depth) {
      copy(lines.from(0, together), ROWS, 1, ROWS, target, at + together * ROWS);
    }
  }

  /// Does the same as [#copy] with vectors, which is more than twice as fast.
  private static void copyColumns(Lines lines, int depth, float[] target, int at) {
    float[] source = lines.values();
    int start = lines.start();
    int step = lines.step();
    for (int p = 0; p < depth; p++) {
      int from = start + p * step;
      int to = at + p * COLUMNS;
      FloatVector.fromArray(SPECIES, source, from).intoArray(target, to);
      FloatVector.fromArray(SPECIES, source, from + LANES).intoArray(target, to + LANES);
    }
  }

  private static void gather(
      Lines lines, int present, int depth, int width, float[] target, int at) {
    float[] source = lines.values();
    for (int p = 0; p < depth; p++) {
      int from = lines.start() + p * lines.step();
      for (int j = 0; j < present; j++) {
        target[at + p * width + j] = source[from + j * lines.stride()];
      }
    }
  }
}
