// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROW_COLUMNS;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.MatmulShape;
import dev.tensorbus.autograd.kernel.shape.Slice;
import org.jspecify.annotations.Nullable;

/// The matrix product in blocks (Goto and van de Geijn, "Anatomy of High-Performance Matrix
/// Multiplication", 2008). It packs a factor only if the packed values are used often: `b` if there
/// are many rows or its columns have to be transposed, and then also `a` if there are many columns.
/// Other factors are read in place.
///
/// Each value of `c` is the same sum in the same order however `c` is divided into rectangles, so
/// the number of threads does not change the result.
public final class VectorMatmul {
  /// The number of inner values of a block: a panel of `b` has 32 KiB at 512 bits, the first-level
  /// cache.
  private static final int DEPTH = 256;

  /// The number of rows of `a` in a block: 128 KiB, an eighth of the second-level cache.
  private static final int HEIGHT = 128;

  /// The number of columns of `b` in a block: 1 MiB. `a` is packed once for all of them.
  private static final int WIDTH = 1024;

  /// The number of columns if `a` has one strip, which uses a block soon after it is packed, and if
  /// tiles follow the rows of `c`, so that every row of tiles reads the whole block.
  private static final int NARROW_WIDTH = 512;

  /// The number of rows from which packing `b` pays, because [PackedTile] is faster.
  private static final int MANY_ROWS = 96;

  /// The number of rows from which packing `b` pays if a block of it has [#MANY_VALUES].
  private static final int SOME_ROWS = 32;

  /// A block of more values (32 KiB) does not fit into the first-level cache. Packed, each of its
  /// panels does.
  private static final int MANY_VALUES = 1 << 13;

  /// The number of columns from which packing `a` pays.
  private static final int MANY_COLUMNS = 16 * COLUMNS;

  /// The number of columns if `a` is transposed: [PackedTile] cannot read it in place.
  private static final int SOME_COLUMNS = 2 * COLUMNS;

  /// With at most this many inner values most of the time is spent on `c`, which is then written
  /// row by row: `[1000, 20] · [20, 1000]` takes 0.7 ms instead of 0.9 if `c` is not cached, with 8
  /// inner values 0.65 instead of 2.0. With more inner values, `b` has to stay cached.
  private static final int SHALLOW = 64;

  /// Rows of `c` with this many values (two pages) are better written row by row, for any depth of
  /// a single block: `[700, 200] · [200, 10000]` takes 20 ms instead of 25. If `b` is not packed,
  /// there is no gain.
  private static final int LONG_ROW = 2048;

  /// Products with at most this many rows compute them one by one.
  private static final int FEW_ROWS = 2;

  /// The maximum number of multiplications of a product without blocks.
  private static final int SMALL = 1 << 15;

  private static final float[] ZEROS = new float[ROW_COLUMNS];

  private final MatmulShape shape;
  private final Lines rows;
  private final Lines columns;

  /// The initial values of `c`, one for each column; null for zeros.
  private final float @Nullable [] bias;

  private final float[] c;

  private final int cStart;

  /// Creates product number `index` of several consecutive ones.
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

  /// Returns whether blocking would take longer than the arithmetic, tiles can read the factors in
  /// place, and single rows are not long.
  private static boolean isSmall(MatmulShape shape) {
    return shape.multiplications() <= SMALL
        && shape.inner() <= DEPTH
        && !shape.transposeB()
        && (shape.rows() > FEW_ROWS || shape.columns() <= COLUMNS);
  }

  /// Computes consecutive products, each tile by tile.
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

  /// Rows from `top` to `bottom`, `width` columns starting at `left`, `depth` values starting at
  /// `p`.
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

  /// Visits all rows of a part, block by block. There is a first block even without inner values,
  /// to initialize `c`.
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

  /// A factor's values of a block, tile by tile.
  ///
  /// @param next the distance of the values of two tiles
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

  /// Reads `a` in place.
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

  /// Returns the values that a block is added to. For the first block this is not `c`, so that
  /// nothing waits for reading it.
  private float[] from(Block block) {
    if (!block.isFirst()) {
      return c;
    }
    return bias == null ? ZEROS : bias;
  }

  /// Returns the offset in [#from] for a tile or row whose results begin at `to`.
  private int fromStart(Block block, int column, int to) {
    if (!block.isFirst()) {
      return to;
    }
    return bias == null ? 0 : block.left + column;
  }
}
