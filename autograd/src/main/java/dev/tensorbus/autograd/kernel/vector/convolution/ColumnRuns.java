// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/// The columns of one panel as runs of neighbours in an image; a run has at most one vector. A
/// convolution packs its panels run by run, so the matrix that it multiplies (every value repeated
/// for every tap) never exists as a whole. The matrix is that of im2col.
///
/// @param columns how many columns the panel has
/// @param targets the first column of each run
/// @param sources the place of that column's value in the image
/// @param lengths the number of columns of each run
record ColumnRuns(int columns, int[] targets, int[] sources, int[] lengths) {
  /// The panel of columns `first` to `first + COLUMNS` out of `count`. Each `length` columns lie
  /// side by side in the image, from one of `starts` on.
  static ColumnRuns of(int first, int count, int length, int[] starts) {
    int columns = Math.min(COLUMNS, count - first);
    int[] targets = new int[columns];
    int[] sources = new int[columns];
    int[] lengths = new int[columns];
    int runs = 0;
    for (int column = 0; column < columns; column += lengths[runs++]) {
      int within = (first + column) % length;
      targets[runs] = column;
      sources[runs] = starts[(first + column) / length] + within;
      lengths[runs] = Math.min(Math.min(length - within, LANES), columns - column);
    }
    return new ColumnRuns(
        columns,
        Arrays.copyOf(targets, runs),
        Arrays.copyOf(sources, runs),
        Arrays.copyOf(lengths, runs));
  }

  /// Packs the panel: column `j` at `p` is the value at `start + offsets[p]` plus the column's
  /// own place.
  void pack(float[] image, int start, int[] offsets, int first, int depth, float[] panel) {
    if (columns < COLUMNS) {
      Arrays.fill(panel, 0, depth * COLUMNS, 0f);
    }
    for (int run = 0; run < targets.length; run++) {
      int source = start + sources[run];
      if (lengths[run] == LANES) {
        packWhole(image, source, offsets, first, depth, panel, targets[run]);
      } else {
        VectorMask<Float> mask = SPECIES.indexInRange(0, lengths[run]);
        packPart(image, source, offsets, first, depth, panel, targets[run], mask);
      }
    }
  }

  private static void packWhole(
      float[] image, int source, int[] offsets, int first, int depth, float[] panel, int target) {
    for (int p = 0; p < depth; p++) {
      FloatVector.fromArray(SPECIES, image, source + offsets[first + p])
          .intoArray(panel, target + p * COLUMNS);
    }
  }

  private static void packPart(
      float[] image,
      int source,
      int[] offsets,
      int first,
      int depth,
      float[] panel,
      int target,
      VectorMask<Float> mask) {
    for (int p = 0; p < depth; p++) {
      FloatVector.fromArray(SPECIES, image, source + offsets[first + p], mask)
          .intoArray(panel, target + p * COLUMNS, mask);
    }
  }
}
