// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.shape;

import java.util.Arrays;

/// A strided view of an array: the value at index `i, j, …` is at offset `start + i * steps[0] +
/// j * steps[1] + …`.
///
/// @param sizes the size of each axis
/// @param steps the stride on each axis; 0 repeats a value, and a negative stride reverses the axis
public record Strided(int start, int[] sizes, int[] steps) {
  /// The number of rows and columns of a tile, which is small enough to stay cached while it is
  /// copied.
  private static final int TILE = 64;

  /// Returns the view of a whole row-major array of the given sizes.
  public static Strided all(int... sizes) {
    int[] steps = new int[sizes.length];
    int step = 1;
    for (int axis = sizes.length - 1; axis >= 0; axis--) {
      steps[axis] = step;
      step *= sizes[axis];
    }
    return new Strided(0, sizes, steps);
  }

  /// Returns a view with reordered axes: axis `i` of the result is axis `axes[i]` of this view.
  public Strided permuted(int... axes) {
    return new Strided(
        start,
        Arrays.stream(axes).map(axis -> sizes[axis]).toArray(),
        Arrays.stream(axes).map(axis -> steps[axis]).toArray());
  }

  /// Returns the permutation that, passed to [#permuted], undoes the given one.
  public static int[] inverse(int... axes) {
    int[] back = new int[axes.length];
    for (int axis = 0; axis < back.length; axis++) {
      back[axes[axis]] = axis;
    }
    return back;
  }

  /// Returns a view of `count` indices of an axis: `first`, `first + by`, and so on.
  public Strided sliced(int axis, int first, int count, int by) {
    int[] counts = sizes.clone();
    int[] strides = steps.clone();
    counts[axis] = count;
    strides[axis] *= by;
    return new Strided(start + first * steps[axis], counts, strides);
  }

  /// Returns whether this view transposes a matrix, or each of several consecutive matrices. The
  /// view must be [joined][#joined] and contain all values of the array.
  public boolean isTransposed() {
    int last = sizes.length - 1;
    return (last == 1 || last == 2) && steps[last - 1] == 1 && steps[last] == sizes[last - 1];
  }

  /// Processes a row of `count` values. In the viewed array, they begin at offset `place` and are
  /// `step` apart; in the row-major array, they begin at offset `index` and are contiguous.
  @FunctionalInterface
  public interface Move {
    void row(int place, int step, int index, int count);
  }

  /// Calls `move` for rows, or parts of rows, that together contain all values.
  public void forEachRow(Move move) {
    joined().forEachJoinedRow(move);
  }

  /// Iterates over rows. If the values of a row are not contiguous, iterates tile by tile, so that
  /// each cache line is still cached when the next rows need it.
  private void forEachJoinedRow(Move move) {
    int axes = sizes.length;
    int count = axes == 0 ? 1 : sizes[axes - 1];
    int step = axes == 0 ? 1 : steps[axes - 1];
    int width = Math.abs(step) <= 1 ? count : TILE;
    int rows = count == 0 ? 0 : Arrays.stream(sizes).reduce(1, (a, b) -> a * b) / count;
    int[] row = new int[axes];
    int place = start;
    int height;
    for (int top = 0; top < rows; top += height) {
      height = Math.min(TILE, rows - top);
      int[] next = row;
      int nextPlace = place;
      for (int first = 0; first < count; first += width) {
        next = row.clone();
        nextPlace = place;
        for (int index = top * count + first, i = 0; i < height; i++, index += count) {
          move.row(nextPlace + first * step, step, index, Math.min(width, count - first));
          nextPlace += next(next);
        }
      }
      row = next;
      place = nextPlace;
    }
  }

  /// Advances `row`, the indices of a row on all axes but the last, to the next row. Returns the
  /// difference between the two rows' offsets.
  private int next(int[] row) {
    int distance = 0;
    for (int axis = sizes.length - 2; axis >= 0; axis--) {
      distance += steps[axis];
      if (++row[axis] < sizes[axis]) {
        return distance;
      }
      distance -= sizes[axis] * steps[axis];
      row[axis] = 0;
    }
    return distance;
  }

  /// Returns an equivalent view with adjacent axes merged wherever possible, so that rows are as
  /// long as possible.
  public Strided joined() {
    int[] counts = new int[sizes.length];
    int[] strides = new int[sizes.length];
    int axes = 0;
    for (int axis = 0; axis < sizes.length; axis++) {
      if (sizes[axis] == 1) {
        continue;
      }
      if (axes > 0 && strides[axes - 1] == steps[axis] * sizes[axis]) {
        counts[axes - 1] *= sizes[axis];
        strides[axes - 1] = steps[axis];
      } else {
        counts[axes] = sizes[axis];
        strides[axes++] = steps[axis];
      }
    }
    return new Strided(start, Arrays.copyOf(counts, axes), Arrays.copyOf(strides, axes));
  }
}
