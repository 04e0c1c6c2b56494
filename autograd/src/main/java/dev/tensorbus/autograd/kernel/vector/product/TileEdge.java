// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// What a whole [Tile] does not fit, below and on the right: half the rows, half a vector, or
/// masked parts. A batch of 20 rows and 200 columns have both, in each product.
///
/// The masked form has four rows because C1 gives eight up ("out of virtual registers"); without
/// its profile C2 never compiles them.
record TileEdge(Tile tile, int depth, float[] a, float[] b, float[] from, float[] c) {
  /// Half a vector; no shape is below 64 bits.
  private static final VectorSpecies<Float> NARROW =
      VectorSpecies.of(
          float.class, VectorShape.forBitSize(Math.max(64, SPECIES.vectorBitSize() / 2)));

  private static final int NARROW_LANES = NARROW.length();
  private static final int HALF_ROWS = ROWS / 2;

  /// Rows that [#addPart] takes at a time.
  private static final int PART_ROWS = 4;

  /// Computes `rows` by `columns` values of `c`, no more than a tile has.
  void add(int aStart, int bStart, int fromStart, int cStart, int rows, int columns) {
    int done = 0;
    if (columns == COLUMNS && rows >= HALF_ROWS) {
      addHalf(aStart, bStart, fromStart, cStart);
      done = HALF_ROWS;
    }
    int left = columns;
    if (columns % LANES == NARROW_LANES && rows == ROWS) {
      left -= NARROW_LANES;
      addNarrow(aStart, bStart + left, fromStart + left, cStart + left);
    }
    for (int j = 0; j < left; j += LANES) {
      for (int r = done; r < rows; r += PART_ROWS) {
        int first = fromStart + r * tile.fromRow() + j;
        int corner = cStart + r * tile.cRow() + j;
        addPart(aStart + r * tile.aRow(), bStart + j, first, corner, rows - r, left - j);
      }
    }
  }

  /// Half the rows of a tile.
  private void addHalf(int aStart, int bStart, int fromStart, int cStart) {
    int aRow = tile.aRow();
    int aStep = tile.aStep();
    int bStep = tile.bStep();
    int fromRow = tile.fromRow();
    int cRow = tile.cRow();
    int a1 = aStart + 1 * aRow;
    int a2 = aStart + 2 * aRow;
    int a3 = aStart + 3 * aRow;
    int c1 = cStart + 1 * cRow;
    int c2 = cStart + 2 * cRow;
    int c3 = cStart + 3 * cRow;
    FloatVector l0 = FloatVector.fromArray(SPECIES, from, fromStart);
    FloatVector h0 = FloatVector.fromArray(SPECIES, from, fromStart + LANES);
    FloatVector l1 = FloatVector.fromArray(SPECIES, from, fromStart + 1 * fromRow);
    FloatVector h1 = FloatVector.fromArray(SPECIES, from, fromStart + 1 * fromRow + LANES);
    FloatVector l2 = FloatVector.fromArray(SPECIES, from, fromStart + 2 * fromRow);
    FloatVector h2 = FloatVector.fromArray(SPECIES, from, fromStart + 2 * fromRow + LANES);
    FloatVector l3 = FloatVector.fromArray(SPECIES, from, fromStart + 3 * fromRow);
    FloatVector h3 = FloatVector.fromArray(SPECIES, from, fromStart + 3 * fromRow + LANES);
    for (int p = 0; p < depth; p++) {
      FloatVector low = FloatVector.fromArray(SPECIES, b, bStart + p * bStep);
      FloatVector high = FloatVector.fromArray(SPECIES, b, bStart + LANES + p * bStep);
      FloatVector x0 = FloatVector.broadcast(SPECIES, a[aStart + p * aStep]);
      l0 = x0.fma(low, l0);
      h0 = x0.fma(high, h0);
      FloatVector x1 = FloatVector.broadcast(SPECIES, a[a1 + p * aStep]);
      l1 = x1.fma(low, l1);
      h1 = x1.fma(high, h1);
      FloatVector x2 = FloatVector.broadcast(SPECIES, a[a2 + p * aStep]);
      l2 = x2.fma(low, l2);
      h2 = x2.fma(high, h2);
      FloatVector x3 = FloatVector.broadcast(SPECIES, a[a3 + p * aStep]);
      l3 = x3.fma(low, l3);
      h3 = x3.fma(high, h3);
    }
    l0.intoArray(c, cStart);
    h0.intoArray(c, cStart + LANES);
    l1.intoArray(c, c1);
    h1.intoArray(c, c1 + LANES);
    l2.intoArray(c, c2);
    h2.intoArray(c, c2 + LANES);
    l3.intoArray(c, c3);
    h3.intoArray(c, c3 + LANES);
  }

  /// A tile's rows of half a vector.
  private void addNarrow(int aStart, int bStart, int fromStart, int cStart) {
    int aRow = tile.aRow();
    int aStep = tile.aStep();
    int bStep = tile.bStep();
    int fromRow = tile.fromRow();
    int cRow = tile.cRow();
    int a1 = aStart + 1 * aRow;
    int a2 = aStart + 2 * aRow;
    int a3 = aStart + 3 * aRow;
    int a4 = aStart + 4 * aRow;
    int a5 = aStart + 5 * aRow;
    int a6 = aStart + 6 * aRow;
    int a7 = aStart + 7 * aRow;
    int c1 = cStart + 1 * cRow;
    int c2 = cStart + 2 * cRow;
    int c3 = cStart + 3 * cRow;
    int c4 = cStart + 4 * cRow;
    int c5 = cStart + 5 * cRow;
    int c6 = cStart + 6 * cRow;
    int c7 = cStart + 7 * cRow;
    FloatVector l0 = FloatVector.fromArray(NARROW, from, fromStart);
    FloatVector l1 = FloatVector.fromArray(NARROW, from, fromStart + 1 * fromRow);
    FloatVector l2 = FloatVector.fromArray(NARROW, from, fromStart + 2 * fromRow);
    FloatVector l3 = FloatVector.fromArray(NARROW, from, fromStart + 3 * fromRow);
    FloatVector l4 = FloatVector.fromArray(NARROW, from, fromStart + 4 * fromRow);
    FloatVector l5 = FloatVector.fromArray(NARROW, from, fromStart + 5 * fromRow);
    FloatVector l6 = FloatVector.fromArray(NARROW, from, fromStart + 6 * fromRow);
    FloatVector l7 = FloatVector.fromArray(NARROW, from, fromStart + 7 * fromRow);
    for (int p = 0; p < depth; p++) {
      FloatVector low = FloatVector.fromArray(NARROW, b, bStart + p * bStep);
      FloatVector x0 = FloatVector.broadcast(NARROW, a[aStart + p * aStep]);
      l0 = x0.fma(low, l0);
      FloatVector x1 = FloatVector.broadcast(NARROW, a[a1 + p * aStep]);
      l1 = x1.fma(low, l1);
      FloatVector x2 = FloatVector.broadcast(NARROW, a[a2 + p * aStep]);
      l2 = x2.fma(low, l2);
      FloatVector x3 = FloatVector.broadcast(NARROW, a[a3 + p * aStep]);
      l3 = x3.fma(low, l3);
      FloatVector x4 = FloatVector.broadcast(NARROW, a[a4 + p * aStep]);
      l4 = x4.fma(low, l4);
      FloatVector x5 = FloatVector.broadcast(NARROW, a[a5 + p * aStep]);
      l5 = x5.fma(low, l5);
      FloatVector x6 = FloatVector.broadcast(NARROW, a[a6 + p * aStep]);
      l6 = x6.fma(low, l6);
      FloatVector x7 = FloatVector.broadcast(NARROW, a[a7 + p * aStep]);
      l7 = x7.fma(low, l7);
    }
    l0.intoArray(c, cStart);
    l1.intoArray(c, c1);
    l2.intoArray(c, c2);
    l3.intoArray(c, c3);
    l4.intoArray(c, c4);
    l5.intoArray(c, c5);
    l6.intoArray(c, c6);
    l7.intoArray(c, c7);
  }

  /// Up to four rows of up to one vector. Of fewer rows the last one is computed several times.
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
