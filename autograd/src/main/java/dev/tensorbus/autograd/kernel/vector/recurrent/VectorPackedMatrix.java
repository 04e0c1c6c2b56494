// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.recurrent;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;

import dev.tensorbus.autograd.kernel.recurrent.PackedMatrix;
import dev.tensorbus.autograd.kernel.shape.Slice;
import dev.tensorbus.autograd.kernel.vector.product.Lines;
import dev.tensorbus.autograd.kernel.vector.product.Panels;
import dev.tensorbus.autograd.kernel.vector.product.Tile;

/// A matrix packed in panels, one block of inner values after another.
///
/// @param panels the packed values, whose number is [#room]
record VectorPackedMatrix(int inner, int columns, Slice<float[]> panels)
    implements PackedMatrix<float[]> {
  /// The maximum number of inner values of a block. With vectors of 512 bits, a panel then occupies
  /// 32 KiB and stays in the first-level cache for all rows.
  private static final int DEPTH = 256;

  static int room(int inner, int columns) {
    return Panels.padded(columns, COLUMNS) * inner;
  }

  /// Packs the columns of a matrix into `panels`.
  static VectorPackedMatrix pack(int inner, int columns, Lines lines, Slice<float[]> panels) {
    for (int p = 0; p < inner; p += DEPTH) {
      int depth = Math.min(DEPTH, inner - p);
      Panels.packAll(lines.from(0, p), columns, depth, COLUMNS, panels.from(room(p, columns)));
    }
    return new VectorPackedMatrix(inner, columns, panels);
  }

  @Override
  public void multiplyAdd(int rows, Slice<float[]> a, Slice<float[]> c) {
    Tile tile = Tile.adding(inner, 1, COLUMNS, columns);
    for (int p = 0; p < inner; p += DEPTH) {
      int depth = Math.min(DEPTH, inner - p);
      for (int column = 0; column < columns; column += COLUMNS) {
        for (int row = 0; row < rows; row += ROWS) {
          tile.multiplyAdd(
              depth,
              a.values(),
              a.start() + row * inner + p,
              panels.values(),
              panels.start() + room(p, columns) + column * depth,
              c.values(),
              c.start() + row * columns + column,
              rows - row,
              columns - column);
        }
      }
    }
  }
}
