// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;

import dev.tensorbus.autograd.kernel.shape.MatmulShape;

/// Divides the result of a matrix product into rectangles, one for each thread.
///
/// Each thread packs its own panels. Nearly square rectangles minimize duplicate packing, and
/// threads do not wait for each other.
record Grid(MatmulShape shape, int high, int wide) {
  /// Smaller products (about 5 microseconds) are not worth passing to a thread.
  static final long SMALLEST_RECTANGLE = 1 << 18;

  /// A rectangle of the result: rows from `top` to `bottom`, columns from `left` to `right`, both
  /// exclusive.
  record Rectangle(int top, int bottom, int left, int right) {
    int height() {
      return bottom - top;
    }

    int width() {
      return right - left;
    }
  }

  /// Divides the longer side further until there is a rectangle for each thread.
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

  /// Returns where rectangle `index` of `count` begins on a side of `size`, in whole tiles.
  private static int bound(int size, int index, int count, int tile) {
    int tiles = (size + tile - 1) / tile;
    return Math.min(size, (int) ((long) tiles * index / count) * tile);
  }
}
