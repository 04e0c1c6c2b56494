// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import dev.tensorbus.autograd.kernel.VectorRegisters;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/// The innermost loops of every matrix product. They compute `c[r, j] = from[r, j] + sum over p of
/// a[r, p] * b[p, j]` for a tile of `c` that stays in vector registers; `from` may be `c`. Every
/// loop computes a value as the same chain of fused multiply-adds, in the order of `p`, so the
/// division into tiles does not affect the results.
///
/// A tile is 8 rows by 2 vectors. Its 16 accumulators hide the four-cycle latency of a multiply-add
/// on cores that start one or two per cycle, and leave registers for the operands. An iteration
/// needs 10 loads for 16 multiply-adds. A machine with 16 registers computes its halves one after
/// the other ([HalfTile]).
///
/// To keep all accumulators in registers, C2 needs locals that are loaded before the loop and
/// stored after it in the same method, indices of the form `base + p * invariant`, and no call
/// between the loop and the stores. If the strides of both factors are compile-time constants, C2
/// can also hoist the bounds checks; see [PackedTile].
///
/// @param aRow the stride from one row of `a` to the next
/// @param aStep the stride of `a` from one `p` to the next
/// @param bStep the stride of `b` from one `p` to the next; columns are contiguous
/// @param fromRow the stride from one row of `from` to the next
/// @param cRow the stride from one row of `c` to the next
public record Tile(int aRow, int aStep, int bStep, int fromRow, int cRow) {
  public static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  public static final int LANES = SPECIES.length();

  /// The registers of the machine.
  public static final VectorRegisters REGISTERS =
      VectorRegisters.of(LANES, System.getProperty("os.arch"));

  /// Whether the machine has a gather instruction.
  public static final boolean GATHERS = REGISTERS.gather();

  /// Whether a whole tile fits into the registers.
  static final boolean FITS_REGISTERS = REGISTERS.holdWholeTile();

  /// The number of rows of a tile.
  public static final int ROWS = 8;

  /// The number of rows of a [HalfTile].
  static final int HALF_ROWS = ROWS / 2;

  /// The number of columns of a tile.
  public static final int COLUMNS = 2 * LANES;

  /// The number of columns that a call to [#addRow] computes.
  public static final int ROW_COLUMNS = 4 * LANES;

  /// Returns a tile that adds to the values of `c`.
  public static Tile adding(int aRow, int aStep, int bStep, int cRow) {
    return new Tile(aRow, aStep, bStep, cRow, cRow);
  }

  /// Adds the products to `rows` by `columns` values of `c`, but at most to one tile.
  public void multiplyAdd(
      int depth,
      float[] a,
      int aStart,
      float[] b,
      int bStart,
      float[] c,
      int cStart,
      int rows,
      int columns) {
    multiply(depth, a, aStart, b, bStart, c, cStart, c, cStart, rows, columns);
  }

  /// Computes `rows` by `columns` values of `c`, but at most one tile.
  public void multiply(
      int depth,
      float[] a,
      int aStart,
      float[] b,
      int bStart,
      float[] from,
      int fromStart,
      float[] c,
      int cStart,
      int rows,
      int columns) {
    if (rows < ROWS || columns < COLUMNS) {
      int height = Math.min(rows, ROWS);
      int width = Math.min(columns, COLUMNS);
      new TileEdge(this, depth, a, b, from, c)
          .add(aStart, bStart, fromStart, cStart, height, width);
    } else if (!FITS_REGISTERS) {
      addHalf(depth, a, aStart, b, bStart, from, fromStart, c, cStart);
      int lower = aStart + HALF_ROWS * aRow;
      int first = fromStart + HALF_ROWS * fromRow;
      addHalf(depth, a, lower, b, bStart, from, first, c, cStart + HALF_ROWS * cRow);
    } else if (isPackedByRows()) {
      PackedTile.addByRows(
          depth, a, aStart, aRow, b, bStart, from, fromStart, fromRow, c, cStart, cRow);
    } else if (isPackedByPanels()) {
      PackedTile.addByPanels(
          depth, a, aStart, b, bStart, from, fromStart, fromRow, c, cStart, cRow);
    } else {
      addTile(depth, a, aStart, b, bStart, from, fromStart, c, cStart);
    }
  }

  /// Returns whether `b` is packed in panels and the rows of `a` are contiguous.
  boolean isPackedByRows() {
    return bStep == COLUMNS && aStep == 1;
  }

  /// Returns whether both factors are packed in panels.
  boolean isPackedByPanels() {
    return bStep == COLUMNS && aStep == ROWS && aRow == 1;
  }

  /// Computes half the rows of a tile.
  void addHalf(
      int depth,
      float[] a,
      int aStart,
      float[] b,
      int bStart,
      float[] from,
      int fromStart,
      float[] c,
      int cStart) {
    if (isPackedByRows()) {
      HalfTile.addByRows(
          depth, a, aStart, aRow, b, bStart, from, fromStart, fromRow, c, cStart, cRow);
    } else if (isPackedByPanels()) {
      HalfTile.addByPanels(depth, a, aStart, b, bStart, from, fromStart, fromRow, c, cStart, cRow);
    } else {
      HalfTile.add(this, depth, a, aStart, b, bStart, from, fromStart, c, cStart);
    }
  }

  private void addTile(
      int depth,
      float[] a,
      int aStart,
      float[] b,
      int bStart,
      float[] from,
      int fromStart,
      float[] c,
      int cStart) {
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
    FloatVector l0 = FloatVector.fromArray(SPECIES, from, fromStart);
    FloatVector h0 = FloatVector.fromArray(SPECIES, from, fromStart + LANES);
    FloatVector l1 = FloatVector.fromArray(SPECIES, from, fromStart + 1 * fromRow);
    FloatVector h1 = FloatVector.fromArray(SPECIES, from, fromStart + 1 * fromRow + LANES);
    FloatVector l2 = FloatVector.fromArray(SPECIES, from, fromStart + 2 * fromRow);
    FloatVector h2 = FloatVector.fromArray(SPECIES, from, fromStart + 2 * fromRow + LANES);
    FloatVector l3 = FloatVector.fromArray(SPECIES, from, fromStart + 3 * fromRow);
    FloatVector h3 = FloatVector.fromArray(SPECIES, from, fromStart + 3 * fromRow + LANES);
    FloatVector l4 = FloatVector.fromArray(SPECIES, from, fromStart + 4 * fromRow);
    FloatVector h4 = FloatVector.fromArray(SPECIES, from, fromStart + 4 * fromRow + LANES);
    FloatVector l5 = FloatVector.fromArray(SPECIES, from, fromStart + 5 * fromRow);
    FloatVector h5 = FloatVector.fromArray(SPECIES, from, fromStart + 5 * fromRow + LANES);
    FloatVector l6 = FloatVector.fromArray(SPECIES, from, fromStart + 6 * fromRow);
    FloatVector h6 = FloatVector.fromArray(SPECIES, from, fromStart + 6 * fromRow + LANES);
    FloatVector l7 = FloatVector.fromArray(SPECIES, from, fromStart + 7 * fromRow);
    FloatVector h7 = FloatVector.fromArray(SPECIES, from, fromStart + 7 * fromRow + LANES);
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
      FloatVector x4 = FloatVector.broadcast(SPECIES, a[a4 + p * aStep]);
      l4 = x4.fma(low, l4);
      h4 = x4.fma(high, h4);
      FloatVector x5 = FloatVector.broadcast(SPECIES, a[a5 + p * aStep]);
      l5 = x5.fma(low, l5);
      h5 = x5.fma(high, h5);
      FloatVector x6 = FloatVector.broadcast(SPECIES, a[a6 + p * aStep]);
      l6 = x6.fma(low, l6);
      h6 = x6.fma(high, h6);
      FloatVector x7 = FloatVector.broadcast(SPECIES, a[a7 + p * aStep]);
      l7 = x7.fma(low, l7);
      h7 = x7.fma(high, h7);
    }
    l0.intoArray(c, cStart);
    h0.intoArray(c, cStart + LANES);
    l1.intoArray(c, c1);
    h1.intoArray(c, c1 + LANES);
    l2.intoArray(c, c2);
    h2.intoArray(c, c2 + LANES);
    l3.intoArray(c, c3);
    h3.intoArray(c, c3 + LANES);
    l4.intoArray(c, c4);
    h4.intoArray(c, c4 + LANES);
    l5.intoArray(c, c5);
    h5.intoArray(c, c5 + LANES);
    l6.intoArray(c, c6);
    h6.intoArray(c, c6 + LANES);
    l7.intoArray(c, c7);
    h7.intoArray(c, c7 + LANES);
  }

  /// Computes four vectors of one row. Only products with very few rows should use this, since `b`
  /// is read again for each row.
  void addRow(
      int depth,
      float[] a,
      int aStart,
      float[] b,
      int bStart,
      float[] from,
      int fromStart,
      float[] c,
      int cStart) {
    FloatVector s = FloatVector.fromArray(SPECIES, from, fromStart);
    FloatVector t = FloatVector.fromArray(SPECIES, from, fromStart + LANES);
    FloatVector u = FloatVector.fromArray(SPECIES, from, fromStart + 2 * LANES);
    FloatVector v = FloatVector.fromArray(SPECIES, from, fromStart + 3 * LANES);
    for (int p = 0; p < depth; p++) {
      FloatVector x = FloatVector.broadcast(SPECIES, a[aStart + p * aStep]);
      s = FloatVector.fromArray(SPECIES, b, bStart + p * bStep).fma(x, s);
      t = FloatVector.fromArray(SPECIES, b, bStart + LANES + p * bStep).fma(x, t);
      u = FloatVector.fromArray(SPECIES, b, bStart + 2 * LANES + p * bStep).fma(x, u);
      v = FloatVector.fromArray(SPECIES, b, bStart + 3 * LANES + p * bStep).fma(x, v);
    }
    s.intoArray(c, cStart);
    t.intoArray(c, cStart + LANES);
    u.intoArray(c, cStart + 2 * LANES);
    v.intoArray(c, cStart + 3 * LANES);
  }
}
