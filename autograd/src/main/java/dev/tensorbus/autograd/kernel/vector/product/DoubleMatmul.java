// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.shape.Slice;
import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;

/// A product of float64 matrices, `c = a · b + bias`, computed in blocks as in [VectorMatmul]. Both
/// factors are packed, and a tile of eight rows by two vectors, or half of it, stays in registers,
/// as in [Tile]. Edges are computed as whole tiles padded with zeros.
///
/// Each value is one chain of fused multiply-adds in the order of the inner index, so it does not
/// depend on the thread that computes it.
public final class DoubleMatmul {
  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final int COLUMNS = 2 * LANES;
  private static final int ROWS = 8;
  private static final int HALF_ROWS = ROWS / 2;

  /// The maximum number of inner values of a block. With vectors of 512 bits, a panel of `b` then
  /// occupies 32 KiB.
  private static final int DEPTH = 256;

  /// The maximum number of rows of `a` in a block, which then occupies 256 KiB of the second-level
  /// cache.
  private static final int HEIGHT = 128;

  /// The maximum number of columns of `b` in a block, which then occupies 1 MiB. `a` is packed once
  /// for all of them.
  private static final int WIDTH = 512;

  /// The number of multiplications that makes waking a thread worthwhile.
  private static final int SMALLEST_SHARE = 1 << 17;

  private final MatmulShape shape;
  private final double[] a;
  private final double[] b;
  private final double[] c;
  private final double[] panels;
  private final int aPanels;
  private final int bPanels;
  private final double[] edge = new double[ROWS * COLUMNS];

  /// @param panels scratch space for a block of `a`, followed by a block of `b`
  private DoubleMatmul(
      MatmulShape shape, double[] a, double[] b, double[] c, Slice<double[]> panels) {
    this.shape = shape;
    this.a = a;
    this.b = b;
    this.c = c;
    this.panels = panels.values();
    this.aPanels = panels.start();
    this.bPanels = panels.start() + aPanels(shape);
  }

  private static int aPanels(MatmulShape shape) {
    return Panels.padded(Math.min(HEIGHT, shape.rows()), ROWS) * Math.min(DEPTH, shape.inner());
  }

  private static int bPanels(MatmulShape shape, int columns) {
    return Panels.padded(Math.min(WIDTH, columns), COLUMNS) * Math.min(DEPTH, shape.inner());
  }

  /// Computes all values of `c`.
  ///
  /// @param bias a value for each column
  public static void run(
      Parallel parallel, MatmulShape shape, double[] a, double[] b, double[] bias, double[] c) {
    for (int row = 0; row < shape.rows(); row++) {
      System.arraycopy(bias, 0, c, row * shape.columns(), shape.columns());
    }
    int panels = Math.ceilDiv(shape.columns(), COLUMNS);
    long each = (long) shape.rows() * shape.inner() * COLUMNS;
    int smallest = (int) Math.max(1, SMALLEST_SHARE / Math.max(1, each));
    parallel.divide(
        panels,
        smallest,
        (first, end) -> {
          int left = first * COLUMNS;
          int right = Math.min(end * COLUMNS, shape.columns());
          Scratch.borrowDoubleLines(
              aPanels(shape) + bPanels(shape, right - left),
              room -> new DoubleMatmul(shape, a, b, c, room).add(left, right));
        });
  }

  /// Adds the products to the columns of `c` from `left` (inclusive) to `right` (exclusive).
  private void add(int left, int right) {
    int aRow = shape.transposeA() ? 1 : shape.inner();
    int aStep = shape.transposeA() ? shape.rows() : 1;
    int bColumn = shape.transposeB() ? shape.inner() : 1;
    int bStep = shape.transposeB() ? 1 : shape.columns();
    for (int column = left; column < right; column += WIDTH) {
      int width = Math.min(WIDTH, right - column);
      for (int p = 0; p < shape.inner(); p += DEPTH) {
        int depth = Math.min(DEPTH, shape.inner() - p);
        pack(b, column * bColumn + p * bStep, bColumn, bStep, width, depth, COLUMNS, bPanels);
        for (int row = 0; row < shape.rows(); row += HEIGHT) {
          int height = Math.min(HEIGHT, shape.rows() - row);
          pack(a, row * aRow + p * aStep, aRow, aStep, height, depth, ROWS, aPanels);
          addTiles(row, height, column, width, depth);
        }
      }
    }
  }

  /// Packs lines into panels of `size` lines, as [Panels] does.
  private void pack(
      double[] from, int start, int line, int step, int lines, int depth, int size, int to) {
    for (int first = 0; first < lines; first += size) {
      int present = Math.min(size, lines - first);
      int at = to + first * depth;
      if (present < size) {
        Arrays.fill(panels, at, at + depth * size, 0);
      }
      int source = start + first * line;
      if (line == 1 && present == COLUMNS) {
        copyColumns(from, source, step, depth, at);
      } else {
        gather(from, source, line, step, present, depth, size, at);
      }
    }
  }

  private void copyColumns(double[] from, int start, int step, int depth, int to) {
    for (int p = 0; p < depth; p++) {
      int source = start + p * step;
      int at = to + p * COLUMNS;
      DoubleVector.fromArray(SPECIES, from, source).intoArray(panels, at);
      DoubleVector.fromArray(SPECIES, from, source + LANES).intoArray(panels, at + LANES);
    }
  }

  private void gather(
      double[] from, int start, int line, int step, int lines, int depth, int size, int to) {
    for (int p = 0; p < depth; p++) {
      for (int j = 0; j < lines; j++) {
        panels[to + p * size + j] = from[start + p * step + j * line];
      }
    }
  }

  private void addTiles(int top, int height, int left, int width, int depth) {
    for (int column = 0; column < width; column += COLUMNS) {
      int columns = Math.min(COLUMNS, width - column);
      for (int row = 0; row < height; row += ROWS) {
        int rows = Math.min(ROWS, height - row);
        int aStart = aPanels + row * depth;
        int bStart = bPanels + column * depth;
        int to = (top + row) * shape.columns() + left + column;
        if (rows == ROWS && columns == COLUMNS) {
          tile(depth, aStart, bStart, c, to, shape.columns());
        } else {
          copy(c, to, shape.columns(), edge, 0, COLUMNS, rows, columns);
          tile(depth, aStart, bStart, edge, 0, COLUMNS);
          copy(edge, 0, COLUMNS, c, to, shape.columns(), rows, columns);
        }
      }
    }
  }

  private static void copy(
      double[] from, int first, int row, double[] to, int toFirst, int toRow, int rows, int n) {
    for (int i = 0; i < rows; i++) {
      System.arraycopy(from, first + i * row, to, toFirst + i * toRow, n);
    }
  }

  private void tile(int depth, int aStart, int bStart, double[] to, int c0, int row) {
    if (Tile.FITS_REGISTERS) {
      wholeTile(depth, aStart, bStart, to, c0, row);
    } else {
      halfTile(depth, aStart, bStart, to, c0, row);
      halfTile(depth, aStart + HALF_ROWS, bStart, to, c0 + HALF_ROWS * row, row);
    }
  }

  private void wholeTile(int depth, int aStart, int bStart, double[] to, int c0, int row) {
    double[] x = panels;
    int c1 = c0 + 1 * row;
    int c2 = c0 + 2 * row;
    int c3 = c0 + 3 * row;
    int c4 = c0 + 4 * row;
    int c5 = c0 + 5 * row;
    int c6 = c0 + 6 * row;
    int c7 = c0 + 7 * row;
    DoubleVector l0 = DoubleVector.fromArray(SPECIES, to, c0);
    DoubleVector h0 = DoubleVector.fromArray(SPECIES, to, c0 + LANES);
    DoubleVector l1 = DoubleVector.fromArray(SPECIES, to, c1);
    DoubleVector h1 = DoubleVector.fromArray(SPECIES, to, c1 + LANES);
    DoubleVector l2 = DoubleVector.fromArray(SPECIES, to, c2);
    DoubleVector h2 = DoubleVector.fromArray(SPECIES, to, c2 + LANES);
    DoubleVector l3 = DoubleVector.fromArray(SPECIES, to, c3);
    DoubleVector h3 = DoubleVector.fromArray(SPECIES, to, c3 + LANES);
    DoubleVector l4 = DoubleVector.fromArray(SPECIES, to, c4);
    DoubleVector h4 = DoubleVector.fromArray(SPECIES, to, c4 + LANES);
    DoubleVector l5 = DoubleVector.fromArray(SPECIES, to, c5);
    DoubleVector h5 = DoubleVector.fromArray(SPECIES, to, c5 + LANES);
    DoubleVector l6 = DoubleVector.fromArray(SPECIES, to, c6);
    DoubleVector h6 = DoubleVector.fromArray(SPECIES, to, c6 + LANES);
    DoubleVector l7 = DoubleVector.fromArray(SPECIES, to, c7);
    DoubleVector h7 = DoubleVector.fromArray(SPECIES, to, c7 + LANES);
    for (int p = 0; p < depth; p++) {
      DoubleVector low = DoubleVector.fromArray(SPECIES, x, bStart + p * COLUMNS);
      DoubleVector high = DoubleVector.fromArray(SPECIES, x, bStart + LANES + p * COLUMNS);
      DoubleVector x0 = DoubleVector.broadcast(SPECIES, x[aStart + p * ROWS]);
      l0 = x0.fma(low, l0);
      h0 = x0.fma(high, h0);
      DoubleVector x1 = DoubleVector.broadcast(SPECIES, x[aStart + 1 + p * ROWS]);
      l1 = x1.fma(low, l1);
      h1 = x1.fma(high, h1);
      DoubleVector x2 = DoubleVector.broadcast(SPECIES, x[aStart + 2 + p * ROWS]);
      l2 = x2.fma(low, l2);
      h2 = x2.fma(high, h2);
      DoubleVector x3 = DoubleVector.broadcast(SPECIES, x[aStart + 3 + p * ROWS]);
      l3 = x3.fma(low, l3);
      h3 = x3.fma(high, h3);
      DoubleVector x4 = DoubleVector.broadcast(SPECIES, x[aStart + 4 + p * ROWS]);
      l4 = x4.fma(low, l4);
      h4 = x4.fma(high, h4);
      DoubleVector x5 = DoubleVector.broadcast(SPECIES, x[aStart + 5 + p * ROWS]);
      l5 = x5.fma(low, l5);
      h5 = x5.fma(high, h5);
      DoubleVector x6 = DoubleVector.broadcast(SPECIES, x[aStart + 6 + p * ROWS]);
      l6 = x6.fma(low, l6);
      h6 = x6.fma(high, h6);
      DoubleVector x7 = DoubleVector.broadcast(SPECIES, x[aStart + 7 + p * ROWS]);
      l7 = x7.fma(low, l7);
      h7 = x7.fma(high, h7);
    }
    l0.intoArray(to, c0);
    h0.intoArray(to, c0 + LANES);
    l1.intoArray(to, c1);
    h1.intoArray(to, c1 + LANES);
    l2.intoArray(to, c2);
    h2.intoArray(to, c2 + LANES);
    l3.intoArray(to, c3);
    h3.intoArray(to, c3 + LANES);
    l4.intoArray(to, c4);
    h4.intoArray(to, c4 + LANES);
    l5.intoArray(to, c5);
    h5.intoArray(to, c5 + LANES);
    l6.intoArray(to, c6);
    h6.intoArray(to, c6 + LANES);
    l7.intoArray(to, c7);
    h7.intoArray(to, c7 + LANES);
  }

  private void halfTile(int depth, int aStart, int bStart, double[] to, int c0, int row) {
    double[] x = panels;
    int c1 = c0 + 1 * row;
    int c2 = c0 + 2 * row;
    int c3 = c0 + 3 * row;
    DoubleVector l0 = DoubleVector.fromArray(SPECIES, to, c0);
    DoubleVector h0 = DoubleVector.fromArray(SPECIES, to, c0 + LANES);
    DoubleVector l1 = DoubleVector.fromArray(SPECIES, to, c1);
    DoubleVector h1 = DoubleVector.fromArray(SPECIES, to, c1 + LANES);
    DoubleVector l2 = DoubleVector.fromArray(SPECIES, to, c2);
    DoubleVector h2 = DoubleVector.fromArray(SPECIES, to, c2 + LANES);
    DoubleVector l3 = DoubleVector.fromArray(SPECIES, to, c3);
    DoubleVector h3 = DoubleVector.fromArray(SPECIES, to, c3 + LANES);
    for (int p = 0; p < depth; p++) {
      DoubleVector low = DoubleVector.fromArray(SPECIES, x, bStart + p * COLUMNS);
      DoubleVector high = DoubleVector.fromArray(SPECIES, x, bStart + LANES + p * COLUMNS);
      DoubleVector x0 = DoubleVector.broadcast(SPECIES, x[aStart + p * ROWS]);
      l0 = x0.fma(low, l0);
      h0 = x0.fma(high, h0);
      DoubleVector x1 = DoubleVector.broadcast(SPECIES, x[aStart + 1 + p * ROWS]);
      l1 = x1.fma(low, l1);
      h1 = x1.fma(high, h1);
      DoubleVector x2 = DoubleVector.broadcast(SPECIES, x[aStart + 2 + p * ROWS]);
      l2 = x2.fma(low, l2);
      h2 = x2.fma(high, h2);
      DoubleVector x3 = DoubleVector.broadcast(SPECIES, x[aStart + 3 + p * ROWS]);
      l3 = x3.fma(low, l3);
      h3 = x3.fma(high, h3);
    }
    l0.intoArray(to, c0);
    h0.intoArray(to, c0 + LANES);
    l1.intoArray(to, c1);
    h1.intoArray(to, c1 + LANES);
    l2.intoArray(to, c2);
    h2.intoArray(to, c2 + LANES);
    l3.intoArray(to, c3);
    h3.intoArray(to, c3 + LANES);
  }
}
