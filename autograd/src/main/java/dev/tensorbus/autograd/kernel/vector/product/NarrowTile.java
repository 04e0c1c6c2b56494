// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import jdk.incubator.vector.FloatVector;

/// Computes all rows of a [Tile] whose columns fit in one vector.
///
/// No masks are needed, since a panel of `b` is zero beyond its last column. With masks, and thus
/// four rows per loop, the last 8 of 200 columns took as long as 32 columns. Without masks, the
/// gradients of a language model's decoder take 10 % less time; 2 to 6 of these 10 % are due to the
/// separate loops for the two layouts of `a`.
final class NarrowTile {
  private NarrowTile() {}

  /// Computes the tile if the rows of `a` are contiguous.
  static void addByRows(
      int depth,
      float[] a,
      int aStart,
      int aRow,
      float[] b,
      int bStart,
      int bStep,
      float[] from,
      int fromStart,
      int fromRow,
      float[] c,
      int cStart,
      int cRow) {
    int a1 = aStart + 1 * aRow;
    int a2 = aStart + 2 * aRow;
    int a3 = aStart + 3 * aRow;
    int a4 = aStart + 4 * aRow;
    int a5 = aStart + 5 * aRow;
    int a6 = aStart + 6 * aRow;
    int a7 = aStart + 7 * aRow;
    FloatVector s0 = FloatVector.fromArray(SPECIES, from, fromStart);
    FloatVector s1 = FloatVector.fromArray(SPECIES, from, fromStart + 1 * fromRow);
    FloatVector s2 = FloatVector.fromArray(SPECIES, from, fromStart + 2 * fromRow);
    FloatVector s3 = FloatVector.fromArray(SPECIES, from, fromStart + 3 * fromRow);
    FloatVector s4 = FloatVector.fromArray(SPECIES, from, fromStart + 4 * fromRow);
    FloatVector s5 = FloatVector.fromArray(SPECIES, from, fromStart + 5 * fromRow);
    FloatVector s6 = FloatVector.fromArray(SPECIES, from, fromStart + 6 * fromRow);
    FloatVector s7 = FloatVector.fromArray(SPECIES, from, fromStart + 7 * fromRow);
    for (int p = 0; p < depth; p++) {
      FloatVector column = FloatVector.fromArray(SPECIES, b, bStart + p * bStep);
      FloatVector x0 = FloatVector.broadcast(SPECIES, a[aStart + p]);
      s0 = x0.fma(column, s0);
      FloatVector x1 = FloatVector.broadcast(SPECIES, a[a1 + p]);
      s1 = x1.fma(column, s1);
      FloatVector x2 = FloatVector.broadcast(SPECIES, a[a2 + p]);
      s2 = x2.fma(column, s2);
      FloatVector x3 = FloatVector.broadcast(SPECIES, a[a3 + p]);
      s3 = x3.fma(column, s3);
      FloatVector x4 = FloatVector.broadcast(SPECIES, a[a4 + p]);
      s4 = x4.fma(column, s4);
      FloatVector x5 = FloatVector.broadcast(SPECIES, a[a5 + p]);
      s5 = x5.fma(column, s5);
      FloatVector x6 = FloatVector.broadcast(SPECIES, a[a6 + p]);
      s6 = x6.fma(column, s6);
      FloatVector x7 = FloatVector.broadcast(SPECIES, a[a7 + p]);
      s7 = x7.fma(column, s7);
    }
    s0.intoArray(c, cStart);
    s1.intoArray(c, cStart + 1 * cRow);
    s2.intoArray(c, cStart + 2 * cRow);
    s3.intoArray(c, cStart + 3 * cRow);
    s4.intoArray(c, cStart + 4 * cRow);
    s5.intoArray(c, cStart + 5 * cRow);
    s6.intoArray(c, cStart + 6 * cRow);
    s7.intoArray(c, cStart + 7 * cRow);
  }

  /// Computes the tile if both factors are packed.
  static void addByPanels(
      int depth,
      float[] a,
      int aStart,
      float[] b,
      int bStart,
      float[] from,
      int fromStart,
      int fromRow,
      float[] c,
      int cStart,
      int cRow) {
    FloatVector s0 = FloatVector.fromArray(SPECIES, from, fromStart);
    FloatVector s1 = FloatVector.fromArray(SPECIES, from, fromStart + 1 * fromRow);
    FloatVector s2 = FloatVector.fromArray(SPECIES, from, fromStart + 2 * fromRow);
    FloatVector s3 = FloatVector.fromArray(SPECIES, from, fromStart + 3 * fromRow);
    FloatVector s4 = FloatVector.fromArray(SPECIES, from, fromStart + 4 * fromRow);
    FloatVector s5 = FloatVector.fromArray(SPECIES, from, fromStart + 5 * fromRow);
    FloatVector s6 = FloatVector.fromArray(SPECIES, from, fromStart + 6 * fromRow);
    FloatVector s7 = FloatVector.fromArray(SPECIES, from, fromStart + 7 * fromRow);
    for (int p = 0; p < depth; p++) {
      FloatVector column = FloatVector.fromArray(SPECIES, b, bStart + p * COLUMNS);
      FloatVector x0 = FloatVector.broadcast(SPECIES, a[aStart + p * ROWS]);
      s0 = x0.fma(column, s0);
      FloatVector x1 = FloatVector.broadcast(SPECIES, a[aStart + 1 + p * ROWS]);
      s1 = x1.fma(column, s1);
      FloatVector x2 = FloatVector.broadcast(SPECIES, a[aStart + 2 + p * ROWS]);
      s2 = x2.fma(column, s2);
      FloatVector x3 = FloatVector.broadcast(SPECIES, a[aStart + 3 + p * ROWS]);
      s3 = x3.fma(column, s3);
      FloatVector x4 = FloatVector.broadcast(SPECIES, a[aStart + 4 + p * ROWS]);
      s4 = x4.fma(column, s4);
      FloatVector x5 = FloatVector.broadcast(SPECIES, a[aStart + 5 + p * ROWS]);
      s5 = x5.fma(column, s5);
      FloatVector x6 = FloatVector.broadcast(SPECIES, a[aStart + 6 + p * ROWS]);
      s6 = x6.fma(column, s6);
      FloatVector x7 = FloatVector.broadcast(SPECIES, a[aStart + 7 + p * ROWS]);
      s7 = x7.fma(column, s7);
    }
    s0.intoArray(c, cStart);
    s1.intoArray(c, cStart + 1 * cRow);
    s2.intoArray(c, cStart + 2 * cRow);
    s3.intoArray(c, cStart + 3 * cRow);
    s4.intoArray(c, cStart + 4 * cRow);
    s5.intoArray(c, cStart + 5 * cRow);
    s6.intoArray(c, cStart + 6 * cRow);
    s7.intoArray(c, cStart + 7 * cRow);
  }
}
