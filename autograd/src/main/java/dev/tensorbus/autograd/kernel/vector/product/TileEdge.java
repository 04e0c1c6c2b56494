// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.HALF_ROWS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Scratch;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/// Computes the bottom and right edges of a product, where no whole [Tile] fits. Depending on the
/// remaining rows and columns, it computes half the rows of a tile, whole vectors (if the panels
/// are padded), or masked vectors. A product of 20 rows and 200 columns, for example, has both
/// edges.
///
/// The masked loop has four rows because C1 cannot compile eight ("out of virtual registers"), and
/// without a profile from C1, C2 would never compile the loop. Vectors of half the width would need
/// less arithmetic, but would add a second receiver class to the type profiles of the Vector API's
/// methods. With them, products of 200 columns took twice as long in many runs.
record TileEdge(Tile tile, int depth, float[] a, float[] b, float[] from, float[] c) {
  /// The maximum number of rows that a call to [#addPart] computes.
  private static final int PART_ROWS = 4;

  /// Computes a block of `rows` by `columns` values of `c`, no larger than a tile.
  void add(int aStart, int bStart, int fromStart, int cStart, int rows, int columns) {
    boolean isPacked = tile.isPackedByRows() || tile.isPackedByPanels();
    if (rows == ROWS && columns != LANES && isPacked) {
      addPacked(aStart, bStart, fromStart, cStart, columns);
      return;
    }
    int done = 0;
    if (columns == COLUMNS && rows >= HALF_ROWS) {
      tile.addHalf(depth, a, aStart, b, bStart, from, fromStart, c, cStart);
      done = HALF_ROWS;
    }
    boolean hasVectors = rows == ROWS && (tile.aStep() == 1 || tile.isPackedByPanels());
    for (int j = 0; j < columns; j += LANES) {
      int first = fromStart + j;
      int corner = cStart + j;
      if (hasVectors && columns - j >= LANES) {
        addVector(aStart, bStart + j, from, first, tile.fromRow(), c, corner, tile.cRow());
      } else {
        addParts(aStart, bStart + j, first, corner, done, rows, columns - j);
      }
    }
  }

  /// Computes the rows from `done` (inclusive) to `rows` (exclusive) of at most one vector of
  /// columns.
  private void addParts(
      int aStart, int bStart, int fromStart, int cStart, int done, int rows, int columns) {
    for (int r = done; r < rows; r += PART_ROWS) {
      int first = fromStart + r * tile.fromRow();
      int corner = cStart + r * tile.cRow();
      addPart(aStart + r * tile.aRow(), bStart, first, corner, rows - r, columns);
    }
  }

  /// Computes all rows of the last columns. Whole vectors are computed in a scratch tile, from
  /// which the columns are copied.
  private void addPacked(int aStart, int bStart, int fromStart, int cStart, int columns) {
    Scratch.borrow(
        ROWS * COLUMNS,
        sums -> {
          for (int r = 0; r < ROWS; r++) {
            System.arraycopy(from, fromStart + r * tile.fromRow(), sums, r * COLUMNS, columns);
          }
          addPacked(aStart, bStart, sums, columns);
          for (int r = 0; r < ROWS; r++) {
            System.arraycopy(sums, r * COLUMNS, c, cStart + r * tile.cRow(), columns);
          }
        });
  }

  private void addPacked(int aStart, int bStart, float[] sums, int columns) {
    if (columns > LANES) {
      Tile.adding(tile.aRow(), tile.aStep(), COLUMNS, COLUMNS)
          .multiplyAdd(depth, a, aStart, b, bStart, sums, 0, ROWS, COLUMNS);
    } else {
      addVector(aStart, bStart, sums, 0, COLUMNS, sums, 0, COLUMNS);
    }
  }

  /// Computes all rows of one vector of columns.
  private void addVector(
      int aStart,
      int bStart,
      float[] first,
      int firstStart,
      int firstRow,
      float[] to,
      int toStart,
      int toRow) {
    int aRow = tile.aRow();
    if (tile.isPackedByPanels()) {
      NarrowTile.addByPanels(
          depth, a, aStart, b, bStart, first, firstStart, firstRow, to, toStart, toRow);
    } else {
      int bStep = tile.bStep();
      NarrowTile.addByRows(
          depth,
          a,
          aStart,
          aRow,
          b,
          bStart,
          bStep,
          first,
          firstStart,
          firstRow,
          to,
          toStart,
          toRow);
    }
  }

  /// Computes up to four rows of at most one vector of columns. If there are fewer rows, the last
  /// one is computed repeatedly.
  private void addPart(int aStart, int bStart, int fromStart, int cStart, int rows, int columns) {
    int aRow = tile.aRow();
    int aStep = tile.aStep();
    int bStep = tile.bStep();
    int fromRow = tile.fromRow();
    int cRow = tile.cRow();
    VectorMask<Float> present = SPECIES.indexInRange(0, columns);
    int a1 = aStart + Math.min(1, rows - 1) * aRow;
    int a2 = aStart + Math.min(2, rows - 1) * aRow;
    int a3 = aStart + Math.min(3, rows - 1) * aRow;
    int c1 = cStart + Math.min(1, rows - 1) * cRow;
    int c2 = cStart + Math.min(2, rows - 1) * cRow;
    int c3 = cStart + Math.min(3, rows - 1) * cRow;
    int f1 = fromStart + Math.min(1, rows - 1) * fromRow;
    int f2 = fromStart + Math.min(2, rows - 1) * fromRow;
    int f3 = fromStart + Math.min(3, rows - 1) * fromRow;
    FloatVector s0 = FloatVector.fromArray(SPECIES, from, fromStart, present);
    FloatVector s1 = FloatVector.fromArray(SPECIES, from, f1, present);
    FloatVector s2 = FloatVector.fromArray(SPECIES, from, f2, present);
    FloatVector s3 = FloatVector.fromArray(SPECIES, from, f3, present);
    for (int p = 0; p < depth; p++) {
      FloatVector column = FloatVector.fromArray(SPECIES, b, bStart + p * bStep, present);
      FloatVector x0 = FloatVector.broadcast(SPECIES, a[aStart + p * aStep]);
      s0 = x0.fma(column, s0);
      FloatVector x1 = FloatVector.broadcast(SPECIES, a[a1 + p * aStep]);
      s1 = x1.fma(column, s1);
      FloatVector x2 = FloatVector.broadcast(SPECIES, a[a2 + p * aStep]);
      s2 = x2.fma(column, s2);
      FloatVector x3 = FloatVector.broadcast(SPECIES, a[a3 + p * aStep]);
      s3 = x3.fma(column, s3);
    }
    s0.intoArray(c, cStart, present);
    s1.intoArray(c, c1, present);
    s2.intoArray(c, c2, present);
    s3.intoArray(c, c3, present);
  }
}
