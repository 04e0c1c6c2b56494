// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Parallel;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/// The vector implementation of [dev.tensorbus.autograd.kernel.Arithmetic#maxRows].
public final class VectorMaximum {
  /// The number of columns of 1024 rows that makes waking a thread worthwhile.
  private static final int SMALLEST_SHARE = 64;

  private VectorMaximum() {}

  /// Computes the maximum of each row from `first` (inclusive) to `end` (exclusive). The value is
  /// found first, and then its index, while the row is still cached.
  public static void alongRows(
      float[] x, int count, float[] y, int[] positions, int first, int end) {
    float[] lanes = new float[LANES];
    for (int row = first; row < end; row++) {
      int start = row * count;
      float greatest = VectorElementwise.max(x, start, start + count, lanes);
      positions[row] = find(greatest, x, start, start + count);
      y[row] = x[positions[row]];
    }
  }

  /// Returns the first index in the range at which `value` occurs; there must be one. A NaN matches
  /// any other NaN.
  private static int find(float value, float[] x, int first, int end) {
    int i = first;
    if (!Float.isNaN(value)) {
      for (; i <= end - LANES; i += LANES) {
        if (FloatVector.fromArray(SPECIES, x, i).compare(VectorOperators.EQ, value).anyTrue()) {
          break;
        }
      }
    }
    while (x[i] != value && !(Float.isNaN(value) && Float.isNaN(x[i]))) {
      i++;
    }
    return i;
  }

  /// Computes the maximum of each column of each block. Rows must have at least
  /// [dev.tensorbus.autograd.kernel.vector.product.Tile#LANES] values.
  public static void overRows(
      Parallel parallel, int rows, int columns, float[] x, float[] y, int[] positions) {
    int share = (int) Math.max(SMALLEST_SHARE, (long) SMALLEST_SHARE * 1024 / Math.max(1, rows));
    for (int block = 0; block < y.length; block += columns) {
      int to = block;
      parallel.divide(
          columns, share, (first, end) -> overRows(rows, columns, x, y, positions, to, first, end));
    }
  }

  /// Computes the maxima of the columns from `first` (inclusive) to `end` (exclusive) of the block
  /// whose results begin at `to`.
  private static void overRows(
      int rows, int columns, float[] x, float[] y, int[] positions, int to, int first, int end) {
    int from = to * rows;
    for (int j = first; j < end; j++) {
      y[to + j] = x[from + j];
      positions[to + j] = from + j;
    }
    int whole = end - (end - first) % LANES;
    for (int row = 1; row < rows; row++) {
      int start = from + row * columns;
      for (int j = first; j < whole; j += LANES) {
        improve(x, start + j, y, positions, to + j);
      }
      for (int j = whole; j < end; j++) {
        if (isGreater(x[start + j], y[to + j])) {
          y[to + j] = x[start + j];
          positions[to + j] = start + j;
        }
      }
    }
  }

  /// Updates the maxima of one vector of columns. New maxima become rarer with every row, so their
  /// positions are stored one by one.
  private static void improve(float[] x, int at, float[] y, int[] positions, int to) {
    FloatVector values = FloatVector.fromArray(SPECIES, x, at);
    FloatVector best = FloatVector.fromArray(SPECIES, y, to);
    VectorMask<Float> greater =
        values
            .compare(VectorOperators.LE, best)
            .not()
            .and(best.compare(VectorOperators.EQ, best)); // nothing is greater than NaN
    if (greater.anyTrue()) {
      values.intoArray(y, to, greater);
      for (int lane = 0; lane < LANES; lane++) {
        if (greater.laneIsSet(lane)) {
          positions[to + lane] = at + lane;
        }
      }
    }
  }

  private static boolean isGreater(float value, float best) {
    return value > best || (Float.isNaN(value) && !Float.isNaN(best));
  }
}
