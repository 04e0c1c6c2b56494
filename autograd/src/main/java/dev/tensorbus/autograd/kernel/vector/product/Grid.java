// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;

import dev.tensorbus.autograd.kernel.shape.MatmulShape;

/// The division of a matrix product's result into rectangles, about one for each thread.
///
/// Each thread packs the panels that it needs, even if another thread packs the same ones, so
/// threads do not wait for each other. Nearly square rectangles minimize this duplicate work.
///
/// @param high the number of rectangles from top to bottom
/// @param wide the number of rectangles from left to right
record Grid(MatmulShape shape, int high, int wide) {
  /// The number of multiplications (about 5 microseconds of work) that makes using another thread
  /// worthwhile.
  static final long SMALLEST_RECTANGLE = 1 << 18;

  /// The rows from `top` (inclusive) to `bottom` (exclusive) and the columns from `left`
  /// (inclusive) to `right` (exclusive) of the result.
  record Rectangle(int top, int bottom, int left, int right) {
    int height() {
      return bottom - top;
    }

    int width() {
      return right - left;
    }
  }

  /// Returns a grid with at least one rectangle for each thread, or with fewer rectangles for a
  /// small product. Divides the longer side of the rectangles until there are enough.
  static Grid of(MatmulShape shape, int threads) {
    long wanted = Math.min(threads, shape.multiplications() / SMALLEST_RECTANGLE);
    int high = 1;
    int wide = 1;
    while ((long) high * wide < wanted) {
      if (shape.rows() / high > shape.columns() / wide) {
        high++;
      } else {
        wide++;
      }
    }
    return new Grid(shape, high, wide);
  }

  int rectangles() {
    return high * wide;
  }

  Rectangle rectangle(int number) {
    int down = number / wide;
    int across = number % wide;
    return new Rectangle(
        bound(shape.rows(), down, high, ROWS),
        bound(shape.rows(), down + 1, high, ROWS),
        bound(shape.columns(), across, wide, COLUMNS),
        bound(shape.columns(), across + 1, wide, COLUMNS));
  }

  /// Returns the row or column at which range `index` begins if a side of length `size` is divided
  /// into `count` ranges of whole tiles.
  private static int bound(int size, int index, int count, int tile) {
    int tiles = (size + tile - 1) / tile;
    return Math.min(size, (int) ((long) tiles * index / count) * tile);
  }
}
