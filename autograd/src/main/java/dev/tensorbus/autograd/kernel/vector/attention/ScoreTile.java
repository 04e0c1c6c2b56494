// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.attention;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;

import dev.tensorbus.autograd.kernel.attention.AttentionInputs;
import dev.tensorbus.autograd.kernel.attention.AttentionShape;
import dev.tensorbus.autograd.kernel.vector.product.Lines;
import dev.tensorbus.autograd.kernel.vector.product.Panels;
import dev.tensorbus.autograd.kernel.vector.product.Tile;

/// The matrix products that attention and its gradient have in common, for a block of at most
/// [Tile#COLUMNS] targets of one item. Scores are `[sources, targets]`, with a column for each
/// target, so that keys and values can be left factors without packing. Softmax runs down the
/// columns.
///
/// @param room the array that holds all intermediate values
record ScoreTile(AttentionInputs<float[]> of, VisibleSources visible, float[] room) {
  /// The number of sources in a chunk. With vectors of 512 bits, their scores occupy 16 KiB, half
  /// of a 32 KiB first-level cache.
  static final int CHUNK = 128;

  private static final float[] ZEROS = new float[COLUMNS];

  private AttentionShape shape() {
    return of.shape();
  }

  /// Packs `present` rows of `size` values, one row per target, as the columns of a panel.
  void packColumns(float[] rows, int start, int row, int present, int size, int to) {
    Panels.packAll(new Lines(rows, start, row, 1), present, size, COLUMNS, room, to);
  }

  /// Packs the queries of a block as columns, multiplied by the scale.
  void packQueries(int item, int target, int present, int to) {
    int size = shape().size();
    packColumns(of.query(), shape().query(item, target), shape().row(), present, size, to);
    float scale = (float) shape().scale();
    for (int i = to; i < to + size * COLUMNS; i++) {
      room[i] *= scale;
    }
  }

  /// Packs `present` rows of `size` values, one row per target, as the right factor of products
  /// that sum over the targets.
  void packRows(float[] rows, int start, int row, int present, int size, int to) {
    Panels.packAll(new Lines(rows, start, 1, row), size, present, COLUMNS, room, to);
  }

  /// Packs the `size` columns of a matrix with one row per source, as the left factor of products
  /// that sum over the sources.
  void packSources(float[] rows, int start, int row, int size, int to) {
    Panels.packAll(new Lines(rows, start, 1, row), size, shape().sources(), ROWS, room, to);
  }

  /// Writes the scores of `rows` sources, starting at `source`, to `room[to]`. Applies the mask if
  /// `masked`.
  ///
  /// @param query the packed queries, already multiplied by the scale
  void scores(
      int item, int target, int present, int source, int rows, boolean masked, int query, int to) {
    int key = shape().key(item, source);
    products(of.key(), key, shape().row(), shape().size(), rows, query, to);
    if (masked) {
      visible.apply(item, target, present, source, rows, room, to);
    }
  }

  /// Multiplies `rows` rows of `size` values by packed columns and writes the products to
  /// `room[to]`.
  void products(float[] x, int start, int row, int size, int rows, int columns, int to) {
    Tile tile = new Tile(row, 1, COLUMNS, 0, COLUMNS);
    for (int j = 0; j < rows; j += ROWS) {
      int at = to + j * COLUMNS;
      tile.multiply(size, x, start + j * row, room, columns, ZEROS, 0, room, at, rows - j, COLUMNS);
    }
  }

  /// Multiplies the packed matrix by the weights of `rows` sources, and adds the sums over these
  /// sources to the matrix `[size, targets]` that begins at `room[to]`.
  ///
  /// @param packed the result of [#packSources]
  void addOverSources(int packed, int size, int source, int rows, int weights, int to) {
    Tile tile = Tile.adding(1, ROWS, COLUMNS, COLUMNS);
    for (int r = 0; r < size; r += ROWS) {
      int from = packed + r * shape().sources() + source * ROWS;
      tile.multiplyAdd(rows, room, from, room, weights, room, to + r * COLUMNS, ROWS, COLUMNS);
    }
  }

  /// Multiplies the weights of `rows` sources by the packed rows, and adds the sums over the
  /// targets to the matrix `[rows, size]` that begins at `sums[to]`.
  ///
  /// @param packed the result of [#packRows]
  void addOverTargets(
      int weights, int rows, int present, int packed, int size, float[] sums, int to, int row) {
    Tile tile = Tile.adding(COLUMNS, 1, COLUMNS, row);
    for (int column = 0; column < size; column += COLUMNS) {
      int from = packed + column * present;
      for (int j = 0; j < rows; j += ROWS) {
        int at = to + j * row + column;
        tile.multiplyAdd(
            present, room, weights + j * COLUMNS, room, from, sums, at, rows - j, size - column);
      }
    }
  }

  /// Multiplies the weights of `rows` sources by the dropout factors.
  ///
  /// @param factors scratch space for one row
  void drop(int item, int target, int source, int rows, int weights, int factors) {
    if (of.dropout() == null) {
      return;
    }
    for (int row = 0; row < rows; row++) {
      long first = shape().weight(item, source + row) + target;
      of.dropout().fill(room, factors, COLUMNS, first);
      int at = weights + row * COLUMNS;
      for (int j = 0; j < COLUMNS; j++) {
        room[at + j] *= room[factors + j];
      }
    }
  }
}
