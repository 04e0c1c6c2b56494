// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.shape.Slice;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/// The columns of one panel, divided into runs that are contiguous in an image and at most one
/// vector long. A convolution packs its panels run by run, so the im2col matrix (which repeats
/// every value for every tap) never exists as a whole.
///
/// @param columns the number of columns of the panel
/// @param targets the first column of each run
/// @param sources the offset in the image of the first value of each run
/// @param lengths the number of columns of each run
record ColumnRuns(int columns, int[] targets, int[] sources, int[] lengths) {
  /// Returns the runs of the panel that begins at column `first`. The matrix has `count` columns,
  /// in stretches of `length` columns that are contiguous in the image; `starts` contains the
  /// offset of each stretch.
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

  /// Packs `depth` rows of the panel: row `p` of a column is the image value whose index is the sum
  /// of `start`, `offsets[first + p]` and the column's offset in the image.
  void pack(float[] image, int start, int[] offsets, int first, int depth, float[] panel, int at) {
    if (targets.length == 2
        && lengths[0] + lengths[1] == COLUMNS
        && sources[1] == sources[0] + LANES) {
      packPair(image, start + sources[0], offsets, first, depth, panel, at);
      return;
    }
    if (columns < COLUMNS) {
      Arrays.fill(panel, at, at + depth * COLUMNS, 0f);
    }
    for (int run = 0; run < targets.length; run++) {
      int source = start + sources[run];
      if (lengths[run] == LANES) {
        packWhole(image, source, offsets, first, depth, panel, at + targets[run]);
      } else {
        VectorMask<Float> mask = SPECIES.indexInRange(0, lengths[run]);
        packPart(image, source, offsets, first, depth, panel, at + targets[run], mask);
      }
    }
  }

  private static void packPair(
      float[] image, int source, int[] offsets, int first, int depth, float[] panel, int target) {
    for (int p = 0; p < depth; p++) {
      int from = source + offsets[first + p];
      FloatVector low = FloatVector.fromArray(SPECIES, image, from);
      FloatVector high = FloatVector.fromArray(SPECIES, image, from + LANES);
      low.intoArray(panel, target + p * COLUMNS);
      high.intoArray(panel, target + p * COLUMNS + LANES);
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

  /// Adds the rows of a tile to the values of the image that [#pack] would read.
  void add(Slice<float[]> tile, int[] offsets, int first, float[] image) {
    int rows = Math.min(ROWS, offsets.length - first);
    for (int run = 0; run < targets.length; run++) {
      int from = tile.start() + targets[run];
      if (lengths[run] == LANES) {
        addWhole(tile.values(), from, rows, offsets, first, image, sources[run]);
      } else {
        VectorMask<Float> mask = SPECIES.indexInRange(0, lengths[run]);
        addPart(tile.values(), from, rows, offsets, first, image, sources[run], mask);
      }
    }
  }

  private static void addWhole(
      float[] tile, int from, int rows, int[] offsets, int first, float[] image, int source) {
    for (int row = 0; row < rows; row++) {
      int to = source + offsets[first + row];
      FloatVector.fromArray(SPECIES, tile, from + row * COLUMNS)
          .add(FloatVector.fromArray(SPECIES, image, to))
          .intoArray(image, to);
    }
  }

  private static void addPart(
      float[] tile,
      int from,
      int rows,
      int[] offsets,
      int first,
      float[] image,
      int source,
      VectorMask<Float> mask) {
    for (int row = 0; row < rows; row++) {
      int to = source + offsets[first + row];
      FloatVector.fromArray(SPECIES, tile, from + row * COLUMNS, mask)
          .add(FloatVector.fromArray(SPECIES, image, to, mask))
          .intoArray(image, to, mask);
    }
  }
}
