// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.FITS_REGISTERS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROW_COLUMNS;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.shape.Slice;
import org.jspecify.annotations.Nullable;

/// The matrix product in blocks (Goto and van de Geijn, "Anatomy of High-Performance Matrix
/// Multiplication", 2008). A factor is packed only if the packed values are used often. `b` is
/// packed if there are many rows or if it is stored transposed; if there are many columns as well,
/// `a` is packed, too. Otherwise, factors are read in place.
///
/// The order of additions for a value of `c` does not depend on how `c` is divided into rectangles,
/// so the results do not depend on the number of threads.
public final class VectorMatmul {
  /// The maximum number of inner values of a block. With vectors of 512 bits, a panel of `b` then
  /// occupies 32 KiB, which fits in the first-level cache.
  private static final int DEPTH = 256;

  /// The maximum number of rows of `a` in a block, which then occupies 128 KiB, an eighth of the
  /// second-level cache.
  private static final int HEIGHT = 128;

  /// The maximum number of columns of `b` in a block, which then occupies 1 MiB. `a` is packed once
  /// for all of them.
  private static final int WIDTH = 1024;

  /// The maximum number of columns of `b` in a block in two special cases: if `a` has only one
  /// strip, so that a block is used once, right after it was packed; and if `c` has long rows
  /// ([#LONG_ROW]), so that every row of tiles reads the whole block.
  private static final int NARROW_WIDTH = 512;

  /// The minimum number of rows for which packing `b` pays off, because [PackedTile] is faster.
  /// Where tiles are computed by halves, each value of `b` is read twice as often.
  private static final int MANY_ROWS = FITS_REGISTERS ? 96 : 32;

  /// The minimum number of rows for which packing `b` pays off if a block of `b` has more than
  /// [#MANY_VALUES] values.
  private static final int SOME_ROWS = 32;

  /// A block with more values than this (32 KiB) does not fit in the first-level cache. If it is
  /// packed, each of its panels does.
  private static final int MANY_VALUES = 1 << 13;

  /// The minimum number of columns for which packing `a` pays off.
  private static final int MANY_COLUMNS = 16 * COLUMNS;

  /// The same minimum if `a` is transposed, so that [PackedTile] cannot read it in place.
  private static final int SOME_COLUMNS = 2 * COLUMNS;

  /// With at most this many inner values, most of the time is spent on writing `c`, so the tiles
  /// are computed row by row. If `c` is not cached, `[1000, 20] · [20, 1000]` takes 0.7 ms instead
  /// of 0.9 ms; with 8 inner values, 0.65 ms instead of 2.0 ms. With more inner values, it is more
  /// important that the panels of `b` stay cached.
  private static final int SHALLOW = 64;

  /// If rows of `c` have at least this many values (two pages) and all inner values fit in one
  /// block, the tiles are also computed row by row: `[700, 200] · [200, 10000]` takes 20 ms instead
  /// of 25 ms. If `b` is not packed, this gains nothing.
  private static final int LONG_ROW = 2048;

  /// In products with at most this many rows, the rows are computed one by one.
  private static final int FEW_ROWS = 2;

  /// The maximum number of multiplications of a product that is not divided into blocks.
  private static final int SMALL = 1 << 15;

  private static final float[] ZEROS = new float[ROW_COLUMNS];

  private final MatmulShape shape;
  private final Lines rows;
  private final Lines columns;

  /// The initial values of `c`, one for each column; null for zeros.
  private final float @Nullable [] bias;

  private final float[] c;

  private final int cStart;

  /// Prepares the computation of product `index` of a batch.
  private VectorMatmul(
      int index, MatmulShape shape, float[] a, float[] b, float @Nullable [] bias, float[] c) {
    this.shape = shape;
    this.rows = Lines.rows(shape, a).shifted(index * shape.rows() * shape.inner());
    this.columns = Lines.columns(shape, b).shifted(index * shape.inner() * shape.columns());
    this.bias = bias;
    this.c = c;
    this.cStart = index * shape.rows() * shape.columns();
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#matmuls] and
  /// [dev.tensorbus.autograd.kernel.Arithmetic#affine].
  ///
  /// @param bias the initial values of each product; null for zeros
  public static void run(
      Parallel parallel,
      int batch,
      MatmulShape shape,
      float[] a,
      float[] b,
      float @Nullable [] bias,
      float[] c) {
    if (VectorDots.suits(shape)) {
      VectorDots.run(parallel, batch, shape, a, b, bias, c);
      return;
    }
    Grid grid = Grid.of(shape, batch == 0 ? 1 : Math.ceilDiv(parallel.threads(), batch));
    int smallest =
        Math.max(1, (int) (Grid.SMALLEST_RECTANGLE / Math.max(1, shape.multiplications())));
    if (isSmall(shape)) {
      parallel.divide(
          batch, smallest, (first, end) -> multiplyTiles(first, end, shape, a, b, bias, c));
    } else if (grid.rectangles() == 1) {
      parallel.divide(
          batch,
          smallest,
          (first, end) -> {
            for (int index = first; index < end; index++) {
              new VectorMatmul(index, shape, a, b, bias, c).multiply(grid.rectangle(0));
            }
          });
    } else {
      parallel.run(
          batch * grid.rectangles(),
          task ->
              new VectorMatmul(task / grid.rectangles(), shape, a, b, bias, c)
                  .multiply(grid.rectangle(task % grid.rectangles())));
    }
  }

  /// Returns whether blocking would take longer than the arithmetic, and tiles can read the factors
  /// in place. Products with few but long rows are excluded.
  private static boolean isSmall(MatmulShape shape) {
    return shape.multiplications() <= SMALL
        && shape.inner() <= DEPTH
        && !shape.transposeB()
        && (shape.rows() > FEW_ROWS || shape.columns() <= COLUMNS);
  }

  /// Computes the products from index `first` (inclusive) to `end` (exclusive), tile by tile
  /// without blocks.
  private static void multiplyTiles(
      int first,
      int end,
      MatmulShape shape,
      float[] a,
      float[] b,
      float @Nullable [] bias,
      float[] c) {
    int m = shape.rows();
    int n = shape.columns();
    int depth = shape.inner();
    Lines rows = Lines.rows(shape, a);
    Tile tile = new Tile(rows.stride(), rows.step(), n, 0, n);
    float[] from = bias == null ? ZEROS : bias;
    for (int i = first; i < end; i++) {
      for (int row = 0; row < m; row += ROWS) {
        int aStart = i * m * depth + rows.at(row, 0);
        for (int column = 0; column < n; column += COLUMNS) {
          int bStart = i * depth * n + column;
          int fromStart = bias == null ? 0 : column;
          int to = (i * m + row) * n + column;
          tile.multiply(depth, a, aStart, b, bStart, from, fromStart, c, to, m - row, n - column);
        }
      }
    }
  }

  /// Computes one rectangle of the product.
  private void multiply(Grid.Rectangle part) {
    int depth = Math.min(DEPTH, shape.inner());
    int width = Math.min(blockWidth(), part.width());
    int many = depth * width > MANY_VALUES ? SOME_ROWS : MANY_ROWS;
    if (columns.stride() == 1 && part.height() < many) {
      forEachBlock(part, this::addBlock);
      return;
    }
    Scratch.borrowLines(
        Panels.padded(width, COLUMNS) * depth,
        panels -> forEachBlock(part, block -> addPacked(block, panels)));
  }

  private int blockWidth() {
    return hasLongRows() || shape.rows() <= HEIGHT ? NARROW_WIDTH : WIDTH;
  }

  private boolean hasLongRows() {
    return shape.columns() >= LONG_ROW && shape.inner() <= DEPTH && shape.rows() >= MANY_ROWS;
  }

  /// A block of the product: the rows from `top` (inclusive) to `bottom` (exclusive), `width`
  /// columns starting at `left`, and `depth` inner values starting at `p`.
  private record Block(int top, int bottom, int left, int width, int p, int depth) {
    int height() {
      return bottom - top;
    }

    boolean isFirst() {
      return p == 0;
    }
  }

  @FunctionalInterface
  private interface BlockAction {
    void accept(Block block);
  }

  /// Visits a rectangle block by block; each block contains all rows of the rectangle. If there are
  /// no inner values, a block without inner values is visited, so that `c` is initialized.
  private void forEachBlock(Grid.Rectangle part, BlockAction action) {
    for (int left = part.left(); left < part.right(); left += blockWidth()) {
      int width = Math.min(blockWidth(), part.right() - left);
      for (int p = 0; p == 0 || p < shape.inner(); p += DEPTH) {
        int depth = Math.min(DEPTH, shape.inner() - p);
        action.accept(new Block(part.top(), part.bottom(), left, width, p, depth));
      }
    }
  }

  private static void forEachStrip(Block block, BlockAction action) {
    for (int top = block.top; top < block.bottom; top += HEIGHT) {
      int bottom = Math.min(top + HEIGHT, block.bottom);
      action.accept(new Block(top, bottom, block.left, block.width, block.p, block.depth));
    }
  }

  /// The values of a factor in a block, which are read tile by tile.
  ///
  /// @param next the stride from the values of one tile to the values of the next
  private record Operand(float[] values, int start, int next) {}

  private void addPacked(Block block, Slice<float[]> panels) {
    Lines lines = columns.from(block.left, block.p);
    Panels.packAll(lines, block.width, block.depth, COLUMNS, panels);
    Operand b = new Operand(panels.values(), panels.start(), COLUMNS * block.depth);
    if (block.width < (rows.step() == 1 ? MANY_COLUMNS : SOME_COLUMNS)) {
      addTiles(block, COLUMNS, b);
    } else {
      Scratch.borrow(
          HEIGHT * block.depth,
          packed -> forEachStrip(block, strip -> addPacked(strip, packed, b)));
    }
  }

  private void addPacked(Block strip, float[] panels, Operand b) {
    Lines lines = rows.from(strip.top, strip.p);
    Panels.packAll(lines, strip.height(), strip.depth, ROWS, panels, 0);
    Operand a = new Operand(panels, 0, ROWS * strip.depth);
    addTiles(strip, tile(strip, 1, ROWS, COLUMNS), a, b);
  }

  private void addBlock(Block block) {
    Operand b = new Operand(columns.values(), columns.at(block.left, block.p), COLUMNS);
    if (block.height() > FEW_ROWS) {
      addTiles(block, columns.step(), b);
    } else {
      addRows(block, b.start);
    }
  }

  /// Computes the tiles of a block, reading `a` in place.
  private void addTiles(Block block, int bStep, Operand b) {
    Tile tile = tile(block, rows.stride(), rows.step(), bStep);
    forEachStrip(
        block,
        strip -> {
          int start = rows.at(strip.top, strip.p);
          addTiles(strip, tile, new Operand(rows.values(), start, ROWS * rows.stride()), b);
        });
  }

  private Tile tile(Block block, int aRow, int aStep, int bStep) {
    int fromRow = block.isFirst() ? 0 : shape.columns();
    return new Tile(aRow, aStep, bStep, fromRow, shape.columns());
  }

  private void addTiles(Block strip, Tile tile, Operand a, Operand b) {
    if (strip.depth <= SHALLOW || hasLongRows()) {
      for (int row = strip.top; row < strip.bottom; row += ROWS) {
        for (int column = 0; column < strip.width; column += COLUMNS) {
          addTile(strip, tile, a, b, row, column);
        }
      }
    } else {
      for (int column = 0; column < strip.width; column += COLUMNS) {
        for (int row = strip.top; row < strip.bottom; row += ROWS) {
          addTile(strip, tile, a, b, row, column);
        }
      }
    }
  }

  private void addTile(Block strip, Tile tile, Operand a, Operand b, int row, int column) {
    int to = cStart + row * shape.columns() + strip.left + column;
    tile.multiply(
        strip.depth,
        a.values,
        a.start + (row - strip.top) / ROWS * a.next,
        b.values,
        b.start + column / COLUMNS * b.next,
        from(strip),
        fromStart(strip, column, to),
        c,
        to,
        strip.bottom - row,
        strip.width - column);
  }

  private void addRows(Block block, int bStart) {
    Tile tile = tile(block, rows.stride(), rows.step(), columns.step());
    float[] a = rows.values();
    float[] b = columns.values();
    float[] from = from(block);
    for (int row = block.top; row < block.bottom; row++) {
      int aStart = rows.at(row, block.p);
      int start = cStart + row * shape.columns() + block.left;
      int column = 0;
      for (; column <= block.width - ROW_COLUMNS; column += ROW_COLUMNS) {
        int to = start + column;
        int first = fromStart(block, column, to);
        tile.addRow(block.depth, a, aStart, b, bStart + column, from, first, c, to);
      }
      for (; column < block.width; column += COLUMNS) {
        int to = start + column;
        int first = fromStart(block, column, to);
        int width = block.width - column;
        tile.multiply(block.depth, a, aStart, b, bStart + column, from, first, c, to, 1, width);
      }
    }
  }

  /// Returns the array of the values to which a block is added. For the first block this is the
  /// bias or zeros instead of `c`, so that `c` does not have to be read.
  private float[] from(Block block) {
    if (!block.isFirst()) {
      return c;
    }
    return bias == null ? ZEROS : bias;
  }

  /// Returns the offset in the array that [#from] returns, for a tile or row whose results begin at
  /// `to`.
  private int fromStart(Block block, int column, int to) {
    if (!block.isFirst()) {
      return to;
    }
    return bias == null ? 0 : block.left + column;
  }
}
