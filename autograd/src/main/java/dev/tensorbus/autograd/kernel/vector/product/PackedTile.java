// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import jdk.incubator.vector.FloatVector;

/// Computes a whole [Tile] if `b` or both factors are packed in [Panels]. There is a separate loop
/// for each layout of `a`: C2 hoists bounds checks out of a loop only if the strides from one `p`
/// to the next are compile-time constants. An iteration then takes 33 instructions, or 41 if `a` is
/// not packed, instead of 60. This matters on a core that executes two multiply-adds per cycle or
/// runs two threads.
final class PackedTile {
  private PackedTile() {}

  /// Computes the tile if `b` is packed and the rows of `a` are contiguous.
  static void addByRows(
      int depth,
      float[] a,
      int aStart,
      int aRow,
      float[] b,
      int bStart,
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
      FloatVector low = FloatVector.fromArray(SPECIES, b, bStart + p * COLUMNS);
      FloatVector high = FloatVector.fromArray(SPECIES, b, bStart + LANES + p * COLUMNS);
      FloatVector x0 = FloatVector.broadcast(SPECIES, a[aStart + p]);
      l0 = x0.fma(low, l0);
      h0 = x0.fma(high, h0);
      FloatVector x1 = FloatVector.broadcast(SPECIES, a[a1 + p]);
      l1 = x1.fma(low, l1);
      h1 = x1.fma(high, h1);
      FloatVector x2 = FloatVector.broadcast(SPECIES, a[a2 + p]);
      l2 = x2.fma(low, l2);
      h2 = x2.fma(high, h2);
      FloatVector x3 = FloatVector.broadcast(SPECIES, a[a3 + p]);
      l3 = x3.fma(low, l3);
      h3 = x3.fma(high, h3);
      FloatVector x4 = FloatVector.broadcast(SPECIES, a[a4 + p]);
      l4 = x4.fma(low, l4);
      h4 = x4.fma(high, h4);
      FloatVector x5 = FloatVector.broadcast(SPECIES, a[a5 + p]);
      l5 = x5.fma(low, l5);
      h5 = x5.fma(high, h5);
      FloatVector x6 = FloatVector.broadcast(SPECIES, a[a6 + p]);
      l6 = x6.fma(low, l6);
      h6 = x6.fma(high, h6);
      FloatVector x7 = FloatVector.broadcast(SPECIES, a[a7 + p]);
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
      FloatVector low = FloatVector.fromArray(SPECIES, b, bStart + p * COLUMNS);
      FloatVector high = FloatVector.fromArray(SPECIES, b, bStart + LANES + p * COLUMNS);
      FloatVector x0 = FloatVector.broadcast(SPECIES, a[aStart + p * ROWS]);
      l0 = x0.fma(low, l0);
      h0 = x0.fma(high, h0);
      FloatVector x1 = FloatVector.broadcast(SPECIES, a[aStart + 1 + p * ROWS]);
      l1 = x1.fma(low, l1);
      h1 = x1.fma(high, h1);
      FloatVector x2 = FloatVector.broadcast(SPECIES, a[aStart + 2 + p * ROWS]);
      l2 = x2.fma(low, l2);
      h2 = x2.fma(high, h2);
      FloatVector x3 = FloatVector.broadcast(SPECIES, a[aStart + 3 + p * ROWS]);
      l3 = x3.fma(low, l3);
      h3 = x3.fma(high, h3);
      FloatVector x4 = FloatVector.broadcast(SPECIES, a[aStart + 4 + p * ROWS]);
      l4 = x4.fma(low, l4);
      h4 = x4.fma(high, h4);
      FloatVector x5 = FloatVector.broadcast(SPECIES, a[aStart + 5 + p * ROWS]);
      l5 = x5.fma(low, l5);
      h5 = x5.fma(high, h5);
      FloatVector x6 = FloatVector.broadcast(SPECIES, a[aStart + 6 + p * ROWS]);
      l6 = x6.fma(low, l6);
      h6 = x6.fma(high, h6);
      FloatVector x7 = FloatVector.broadcast(SPECIES, a[aStart + 7 + p * ROWS]);
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
}
