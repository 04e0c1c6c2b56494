// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/// The innermost loop of every product: one tile of the result, held in vector registers.
///
/// A tile is 8 rows by 2 vectors. Its 16 accumulators hide the latency of four cycles of one
/// multiply-add a cycle, leave registers for the operands, and cost 10 loads for 16
/// multiply-adds. `a` is a panel of [#ROWS] rows and `b` one of [#COLUMNS] columns, packed by
/// [Panels] so that both are read from front to back.
final class Tile {
  static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  static final int LANES = SPECIES.length();

  /// Rows of a tile and of a panel of `a`.
  static final int ROWS = 8;

  /// Columns of a tile and of a panel of `b`.
  static final int COLUMNS = 2 * LANES;

  private Tile() {}

  /// `c[r, j] += sum over p of a[p, r] * b[p, j]`, `depth` values of p.
  ///
  /// The form is what C2 needs to keep all accumulators in registers: locals that are loaded
  /// before the loop and stored after it in this same method, indices of the form base + p *
  /// constant, and no call between the loop and the stores.
  static void multiplyAdd(
      int depth, float[] a, int aStart, float[] b, int bStart, float[] c, int cStart, int stride) {
    int r0 = cStart;
    int r1 = cStart + 1 * stride;
    int r2 = cStart + 2 * stride;
    int r3 = cStart + 3 * stride;
    int r4 = cStart + 4 * stride;
    int r5 = cStart + 5 * stride;
    int r6 = cStart + 6 * stride;
    int r7 = cStart + 7 * stride;
    FloatVector l0 = FloatVector.fromArray(SPECIES, c, r0);
    FloatVector h0 = FloatVector.fromArray(SPECIES, c, r0 + LANES);
    FloatVector l1 = FloatVector.fromArray(SPECIES, c, r1);
    FloatVector h1 = FloatVector.fromArray(SPECIES, c, r1 + LANES);
    FloatVector l2 = FloatVector.fromArray(SPECIES, c, r2);
    FloatVector h2 = FloatVector.fromArray(SPECIES, c, r2 + LANES);
    FloatVector l3 = FloatVector.fromArray(SPECIES, c, r3);
    FloatVector h3 = FloatVector.fromArray(SPECIES, c, r3 + LANES);
    FloatVector l4 = FloatVector.fromArray(SPECIES, c, r4);
    FloatVector h4 = FloatVector.fromArray(SPECIES, c, r4 + LANES);
    FloatVector l5 = FloatVector.fromArray(SPECIES, c, r5);
    FloatVector h5 = FloatVector.fromArray(SPECIES, c, r5 + LANES);
    FloatVector l6 = FloatVector.fromArray(SPECIES, c, r6);
    FloatVector h6 = FloatVector.fromArray(SPECIES, c, r6 + LANES);
    FloatVector l7 = FloatVector.fromArray(SPECIES, c, r7);
    FloatVector h7 = FloatVector.fromArray(SPECIES, c, r7 + LANES);
    for (int p = 0; p < depth; p++) {
      FloatVector low = FloatVector.fromArray(SPECIES, b, bStart + p * COLUMNS);
      FloatVector high = FloatVector.fromArray(SPECIES, b, bStart + LANES + p * COLUMNS);
      FloatVector a0 = FloatVector.broadcast(SPECIES, a[aStart + p * ROWS]);
      l0 = a0.fma(low, l0);
      h0 = a0.fma(high, h0);
      FloatVector a1 = FloatVector.broadcast(SPECIES, a[aStart + 1 + p * ROWS]);
      l1 = a1.fma(low, l1);
      h1 = a1.fma(high, h1);
      FloatVector a2 = FloatVector.broadcast(SPECIES, a[aStart + 2 + p * ROWS]);
      l2 = a2.fma(low, l2);
      h2 = a2.fma(high, h2);
      FloatVector a3 = FloatVector.broadcast(SPECIES, a[aStart + 3 + p * ROWS]);
      l3 = a3.fma(low, l3);
      h3 = a3.fma(high, h3);
      FloatVector a4 = FloatVector.broadcast(SPECIES, a[aStart + 4 + p * ROWS]);
      l4 = a4.fma(low, l4);
      h4 = a4.fma(high, h4);
      FloatVector a5 = FloatVector.broadcast(SPECIES, a[aStart + 5 + p * ROWS]);
      l5 = a5.fma(low, l5);
      h5 = a5.fma(high, h5);
      FloatVector a6 = FloatVector.broadcast(SPECIES, a[aStart + 6 + p * ROWS]);
      l6 = a6.fma(low, l6);
      h6 = a6.fma(high, h6);
      FloatVector a7 = FloatVector.broadcast(SPECIES, a[aStart + 7 + p * ROWS]);
      l7 = a7.fma(low, l7);
      h7 = a7.fma(high, h7);
    }
    l0.intoArray(c, r0);
    h0.intoArray(c, r0 + LANES);
    l1.intoArray(c, r1);
    h1.intoArray(c, r1 + LANES);
    l2.intoArray(c, r2);
    h2.intoArray(c, r2 + LANES);
    l3.intoArray(c, r3);
    h3.intoArray(c, r3 + LANES);
    l4.intoArray(c, r4);
    h4.intoArray(c, r4 + LANES);
    l5.intoArray(c, r5);
    h5.intoArray(c, r5 + LANES);
    l6.intoArray(c, r6);
    h6.intoArray(c, r6 + LANES);
    l7.intoArray(c, r7);
    h7.intoArray(c, r7 + LANES);
  }

  /// The same where only `rows` by `columns` of the tile, or all of it if they are more, lie in
  /// `c`.
  static void multiplyAddPart(
      int depth,
      float[] a,
      int aStart,
      float[] b,
      int bStart,
      float[] c,
      int cStart,
      int stride,
      int rows,
      int columns) {
    if (rows >= ROWS && columns >= COLUMNS) {
      multiplyAdd(depth, a, aStart, b, bStart, c, cStart, stride);
      return;
    }
    int height = Math.min(rows, ROWS);
    int width = Math.min(columns, COLUMNS);
    Scratch.borrow(
        ROWS * COLUMNS,
        tile -> {
          copy(c, cStart, stride, tile, 0, COLUMNS, height, width);
          multiplyAdd(depth, a, aStart, b, bStart, tile, 0, COLUMNS);
          copy(tile, 0, COLUMNS, c, cStart, stride, height, width);
        });
  }

  private static void copy(
      float[] source,
      int from,
      int sourceStride,
      float[] target,
      int to,
      int targetStride,
      int rows,
      int columns) {
    for (int row = 0; row < rows; row++) {
      System.arraycopy(source, from + row * sourceStride, target, to + row * targetStride, columns);
    }
  }
}
