// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/// How the columns of one panel lie in an image: runs of neighbours, in pieces of at most one
/// vector. A convolution's panels are packed by pieces, so the matrix that it multiplies (every
/// value repeated for every tap) never exists as a whole.
///
/// All arrays have one entry for each piece.
///
/// @param columns the number of columns
/// @param targets the first column
/// @param sources where its value lies in the image
/// @param lengths the number of columns
record Pieces(int columns, int[] targets, int[] sources, int[] lengths) {
  /// Columns `first` to `first + COLUMNS`, of which there are `count`, when each `run` columns
  /// lie side by side and the runs begin at `starts`.
  static Pieces of(int first, int count, int run, int[] starts) {
    int columns = Math.min(COLUMNS, count - first);
    int[] targets = new int[columns];
    int[] sources = new int[columns];
    int[] lengths = new int[columns];
    int pieces = 0;
    for (int column = 0; column < columns; column += lengths[pieces++]) {
      int within = (first + column) % run;
      targets[pieces] = column;
      sources[pieces] = starts[(first + column) / run] + within;
      lengths[pieces] = Math.min(Math.min(run - within, LANES), columns - column);
    }
    return new Pieces(
        columns,
        Arrays.copyOf(targets, pieces),
        Arrays.copyOf(sources, pieces),
        Arrays.copyOf(lengths, pieces));
  }

  /// Packs the panel: column `j` at `p` is the value at `start + offsets[p]` plus the column's
  /// own place.
  void pack(float[] image, int start, int[] offsets, int first, int depth, float[] panel) {
    if (columns < COLUMNS) {
      Arrays.fill(panel, 0, depth * COLUMNS, 0f);
    }
    for (int piece = 0; piece < targets.length; piece++) {
      int source = start + sources[piece];
      if (lengths[piece] == LANES) {
        packWhole(image, source, offsets, first, depth, panel, targets[piece]);
      } else {
        VectorMask<Float> mask = SPECIES.indexInRange(0, lengths[piece]);
        packPart(image, source, offsets, first, depth, panel, targets[piece], mask);
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
