// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/// A product of float64 matrices, `c = a · b + bias`. The columns of `b` are packed into panels of
/// two vectors, and a tile of four rows by one panel stays in registers, as in [Tile]: its eight
/// accumulators are enough for two multiply-adds a cycle of four cycles each.
///
/// Each value is one chain of fused multiply-adds in the order of p, whichever thread computes it.
public final class DoubleMatmul {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final int COLUMNS = 2 * LANES;
  private static final int ROWS = 4;

  /// Rows of a panel that are used at a time: they stay in the first-level cache.
  private static final int DEPTH = 128;

  /// Fewer multiplications are not worth waking a thread.
  private static final int SMALLEST_SHARE = 1 << 17;

  private final MatmulShape shape;
  private final double[] a;
  private final double[] c;
  private final int aRow;
  private final int aStep;

  private DoubleMatmul(MatmulShape shape, double[] a, double[] c) {
    this.shape = shape;
    this.a = a;
    this.c = c;
    this.aRow = shape.transposeA() ? 1 : shape.inner();
    this.aStep = shape.transposeA() ? shape.rows() : 1;
  }

  /// Computes all values of `c`.
  ///
  /// @param bias a value for each column
  public static void run(
      Parallel parallel, MatmulShape shape, double[] a, double[] b, double[] bias, double[] c) {
    int panels = Math.ceilDiv(shape.columns(), COLUMNS);
    long each = (long) shape.rows() * shape.inner() * COLUMNS;
    int smallest = (int) Math.max(1, SMALLEST_SHARE / Math.max(1, each));
    DoubleMatmul product = new DoubleMatmul(shape, a, c);
    parallel.divide(panels, smallest, (first, end) -> product.panels(b, bias, first, end));
  }

  private void panels(double[] b, double[] bias, int first, int end) {
    double[] panel = new double[shape.inner() * COLUMNS];
    double[] edge = new double[ROWS * COLUMNS];
    for (int number = first; number < end; number++) {
      int column = number * COLUMNS;
      int width = Math.min(COLUMNS, shape.columns() - column);
      pack(b, column, width, panel);
      for (int row = 0; row < shape.rows(); row++) {
        System.arraycopy(bias, column, c, row * shape.columns() + column, width);
      }
      for (int start = 0; start < shape.inner(); start += DEPTH) {
        multiply(panel, start, Math.min(DEPTH, shape.inner() - start), column, width, edge);
      }
    }
  }

  private void pack(double[] b, int column, int width, double[] panel) {
    if (width < COLUMNS) {
      Arrays.fill(panel, 0);
    }
    for (int p = 0; p < shape.inner(); p++) {
      for (int j = 0; j < width; j++) {
        panel[p * COLUMNS + j] = b[shape.indexB(p, column + j)];
      }
    }
  }

  /// Adds the products of some rows of the panel to its columns of `c`.
  private void multiply(
      double[] panel, int start, int depth, int column, int width, double[] edge) {
    int aFirst = start * aStep;
    int bFirst = start * COLUMNS;
    for (int row = 0; row < shape.rows(); row += ROWS) {
      int height = Math.min(ROWS, shape.rows() - row);
      int cFirst = row * shape.columns() + column;
      if (height == ROWS && width == COLUMNS) {
        tile(depth, aFirst + row * aRow, panel, bFirst, c, cFirst, shape.columns());
      } else {
        copy(c, cFirst, shape.columns(), edge, 0, COLUMNS, height, width);
        for (int i = 0; i < height; i++) {
          line(depth, aFirst + (row + i) * aRow, panel, bFirst, edge, i * COLUMNS);
        }
        copy(edge, 0, COLUMNS, c, cFirst, shape.columns(), height, width);
      }
    }
  }

  private static void copy(
      double[] from, int first, int row, double[] to, int toFirst, int toRow, int rows, int n) {
    for (int i = 0; i < rows; i++) {
      System.arraycopy(from, first + i * row, to, toFirst + i * toRow, n);
    }
  }

  private void tile(int depth, int a0, double[] b, int bFirst, double[] c, int c0, int cRow) {
    int a1 = a0 + aRow;
    int a2 = a1 + aRow;
    int a3 = a2 + aRow;
    int c1 = c0 + cRow;
    int c2 = c1 + cRow;
    int c3 = c2 + cRow;
    DoubleVector l0 = DoubleVector.fromArray(SPECIES, c, c0);
    DoubleVector h0 = DoubleVector.fromArray(SPECIES, c, c0 + LANES);
    DoubleVector l1 = DoubleVector.fromArray(SPECIES, c, c1);
    DoubleVector h1 = DoubleVector.fromArray(SPECIES, c, c1 + LANES);
    DoubleVector l2 = DoubleVector.fromArray(SPECIES, c, c2);
    DoubleVector h2 = DoubleVector.fromArray(SPECIES, c, c2 + LANES);
    DoubleVector l3 = DoubleVector.fromArray(SPECIES, c, c3);
    DoubleVector h3 = DoubleVector.fromArray(SPECIES, c, c3 + LANES);
    for (int p = 0; p < depth; p++) {
      DoubleVector low = DoubleVector.fromArray(SPECIES, b, bFirst + p * COLUMNS);
      DoubleVector high = DoubleVector.fromArray(SPECIES, b, bFirst + LANES + p * COLUMNS);
      DoubleVector x0 = DoubleVector.broadcast(SPECIES, a[a0 + p * aStep]);
      l0 = x0.fma(low, l0);
      h0 = x0.fma(high, h0);
      DoubleVector x1 = DoubleVector.broadcast(SPECIES, a[a1 + p * aStep]);
      l1 = x1.fma(low, l1);
      h1 = x1.fma(high, h1);
      DoubleVector x2 = DoubleVector.broadcast(SPECIES, a[a2 + p * aStep]);
      l2 = x2.fma(low, l2);
      h2 = x2.fma(high, h2);
      DoubleVector x3 = DoubleVector.broadcast(SPECIES, a[a3 + p * aStep]);
      l3 = x3.fma(low, l3);
      h3 = x3.fma(high, h3);
    }
    l0.intoArray(c, c0);
    h0.intoArray(c, c0 + LANES);
    l1.intoArray(c, c1);
    h1.intoArray(c, c1 + LANES);
    l2.intoArray(c, c2);
    h2.intoArray(c, c2 + LANES);
    l3.intoArray(c, c3);
    h3.intoArray(c, c3 + LANES);
  }

  /// The same for one row.
  private void line(int depth, int a0, double[] b, int bFirst, double[] c, int c0) {
    DoubleVector low = DoubleVector.fromArray(SPECIES, c, c0);
    DoubleVector high = DoubleVector.fromArray(SPECIES, c, c0 + LANES);
    for (int p = 0; p < depth; p++) {
      DoubleVector x = DoubleVector.broadcast(SPECIES, a[a0 + p * aStep]);
      low = x.fma(DoubleVector.fromArray(SPECIES, b, bFirst + p * COLUMNS), low);
      high = x.fma(DoubleVector.fromArray(SPECIES, b, bFirst + LANES + p * COLUMNS), high);
    }
    low.intoArray(c, c0);
    high.intoArray(c, c0 + LANES);
  }
}
