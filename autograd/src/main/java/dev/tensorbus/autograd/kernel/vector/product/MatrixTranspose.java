// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.Slice;

/// Transposes consecutive matrices: `y[b, j, i] = x[b, i, j]`. The algorithm is that of OpenBLAS's
/// `omatcopy`.
///
/// Each tile is transposed to a scratch array, which is then copied to the result row by row. The
/// rows of a large matrix are often a multiple of 4 KiB apart, so that they compete for the same
/// set of the first-level cache; the rows of the scratch array do not.
public record MatrixTranspose(int rows, int columns, float[] x, float[] y) {
  private static final int TILE = 128;

  /// Transposes the matrices. Several threads are used if each has at least `smallest` values to
  /// transpose.
  public void run(Parallel parallel, int smallest) {
    int strips = Math.ceilDiv(columns, TILE);
    int strip = rows * Math.min(columns, TILE);
    parallel.divide(
        x.length / (rows * columns) * strips,
        Math.max(1, smallest / strip),
        (first, end) ->
            Scratch.borrowLines(
                TILE * TILE,
                tile -> {
                  for (int i = first; i < end; i++) {
                    strip(i / strips * rows * columns, i % strips * TILE, tile);
                  }
                }));
  }

  /// Transposes a strip of the matrix that begins at `x[start]`: up to `TILE` columns, starting at
  /// `column`.
  private void strip(int start, int column, Slice<float[]> tile) {
    int width = Math.min(TILE, columns - column);
    for (int row = 0; row < rows; row += TILE) {
      int height = Math.min(TILE, rows - row);
      Lines lines = new Lines(x, start + row * columns + column, columns, 1);
      Transpose.run(lines, height, width, tile.values(), tile.start(), TILE);
      for (int j = 0; j < width; j++) {
        int to = start + (column + j) * rows + row;
        System.arraycopy(tile.values(), tile.start() + j * TILE, y, to, height);
      }
    }
  }
}
