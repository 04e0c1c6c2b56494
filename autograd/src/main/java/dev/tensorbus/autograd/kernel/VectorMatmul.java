// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static dev.tensorbus.autograd.kernel.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.Tile.ROWS;

/// The matrix product by packed panels (Goto and van de Geijn, "Anatomy of High-Performance
/// Matrix Multiplication", 2008).
///
/// Each value of `c` is the same sum in the same order however `c` is divided into rectangles, so
/// the number of threads changes nothing in the result.
final class VectorMatmul {
  /// Inner values per packing: a panel of `b` (32 KiB at 512 bits) fits the first-level cache.
  private static final int DEPTH = 256;

  /// Rows of `a` packed at once: 128 KiB, an eighth of the second-level cache.
  private static final int HEIGHT = 128;

  /// Columns of `b` packed at once: half a megabyte.
  private static final int WIDTH = 512;

  private final MatmulShape shape;
  private final Lines rows;
  private final Lines columns;
  private final float[] c;

  private VectorMatmul(MatmulShape shape, float[] a, float[] b, float[] c) {
    this.shape = shape;
    this.rows = Lines.rows(shape, a);
    this.columns = Lines.columns(shape, b);
    this.c = c;
  }

  /// See [Kernels#matmul].
  static void run(Parallel parallel, MatmulShape shape, float[] a, float[] b, float[] c) {
    VectorMatmul product = new VectorMatmul(shape, a, b, c);
    Grid grid = Grid.of(shape, parallel.threads());
    parallel.run(grid.parts(), part -> product.add(grid.part(part)));
  }

  /// Adds one rectangle of the product to `c`, with panels of its own.
  private void add(Grid.Part part) {
    int depth = Math.min(DEPTH, shape.inner());
    int height = Math.min(HEIGHT, part.height());
    int width = Math.min(WIDTH, part.width());
    Scratch.borrow(
        Panels.length(height, depth, ROWS),
        a -> Scratch.borrow(Panels.length(width, depth, COLUMNS), b -> addByColumns(part, a, b)));
  }

  private void addByColumns(Grid.Part part, float[] a, float[] b) {
    for (int left = part.left(); left < part.right(); left += WIDTH) {
      int width = Math.min(WIDTH, part.right() - left);
      for (int p = 0; p < shape.inner(); p += DEPTH) {
        int depth = Math.min(DEPTH, shape.inner() - p);
        Panels.packAll(columns.from(left, p), width, depth, COLUMNS, b, 0);
        for (int top = part.top(); top < part.bottom(); top += HEIGHT) {
          int height = Math.min(HEIGHT, part.bottom() - top);
          Panels.packAll(rows.from(top, p), height, depth, ROWS, a, 0);
          addTiles(depth, a, height, b, width, top * shape.columns() + left);
        }
      }
    }
  }

  private void addTiles(int depth, float[] a, int height, float[] b, int width, int start) {
    int stride = shape.columns();
    for (int column = 0; column < width; column += COLUMNS) {
      for (int row = 0; row < height; row += ROWS) {
        int corner = start + row * stride + column;
        Tile.multiplyAddPart(
            depth,
            a,
            row * depth,
            b,
            column * depth,
            c,
            corner,
            stride,
            height - row,
            width - column);
      }
    }
  }
}
