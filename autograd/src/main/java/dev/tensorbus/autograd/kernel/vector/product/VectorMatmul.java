// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.product;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROW_COLUMNS;

import dev.tensorbus.autograd.kernel.MatmulShape;
import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import org.jspecify.annotations.Nullable;

/// The matrix product by blocks (Goto and van de Geijn, "Anatomy of High-Performance Matrix
/// Multiplication", 2008), of which little is packed: `a` is read where it lies, and `b` too
/// unless its columns have to be turned or its rows are pages apart.
///
/// Each value of `c` is the same sum in the same order however `c` is divided into rectangles, so
/// the number of threads changes nothing in the result.
public final class VectorMatmul {
  /// Inner values of a block: a panel of `b` has 32 KiB at 512 bits, the first-level cache.
  private static final int DEPTH = 256;

  /// Rows of `a` in a block: 128 KiB, an eighth of the second-level cache.
  private static final int HEIGHT = 128;

  /// Columns of `b` in a block: 256 KiB.
  private static final int WIDTH = 256;

  /// Rows of `b` this far apart, nearly a page, miss the translation cache when read as they lie.
  private static final int FAR = 768;

  /// Packing `b` pays when so many rows use it.
  private static final int MANY_ROWS = 64;

  /// Products of at most so many rows take them one by one.
  private static final int FEW_ROWS = 2;

  private final MatmulShape shape;
  private final Lines rows;
  private final Lines columns;

  /// What `c` begins with, a value for each column; null for what it holds.
  private final float @Nullable [] bias;

  private final float[] c;

  private final int cStart;

  /// The product number `index` of several that follow one another.
  private VectorMatmul(
      int index, MatmulShape shape, float[] a, float[] b, float @Nullable [] bias, float[] c) {
    this.shape = shape;
    this.rows = Lines.rows(shape, a).shifted(index * shape.rows() * shape.inner());
    this.columns = Lines.columns(shape, b).shifted(index * shape.inner() * shape.columns());
    this.bias = bias;
    this.c = c;
    this.cStart = index * shape.rows() * shape.columns();
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#matmuls], and `affine` there.
  ///
  /// @param bias what each product begins with, if there are inner values; null for what is in `c`
  public static void run(
      Parallel parallel,
      int batch,
      MatmulShape shape,
      float[] a,
      float[] b,
      float @Nullable [] bias,
      float[] c) {
    Grid grid = Grid.of(shape, batch == 0 ? 1 : Math.ceilDiv(parallel.threads(), batch));
    int smallest = Math.max(1, (int) (Grid.SMALLEST_PART / Math.max(1, shape.multiplications())));
    if (grid.parts() == 1) {
      parallel.divide(
          batch,
          smallest,
          (first, end) -> {
            for (int index = first; index < end; index++) {
              new VectorMatmul(index, shape, a, b, bias, c).add(grid.part(0));
            }
          });
    } else {
      parallel.run(
          batch * grid.parts(),
          task ->
              new VectorMatmul(task / grid.parts(), shape, a, b, bias, c)
                  .add(grid.part(task % grid.parts())));
    }
  }

  /// Adds one rectangle of the product to `c`.
  private void add(Grid.Part part) {
    boolean packs = columns.stride() != 1 || (columns.step() >= FAR && part.height() >= MANY_ROWS);
    if (!packs) {
      forEachBlock(part, this::addBlock);
      return;
    }
    int depth = Math.min(DEPTH, shape.inner());
    int width = Panels.padded(Math.min(WIDTH, part.width()), COLUMNS);
    Scratch.borrow(width * depth, panels -> forEachBlock(part, block -> addPacked(block, panels)));
  }

  /// Rows from `top` to `bottom` of a part, `width` columns from `left` on, `depth` values from
  /// `p` on.
  private record Block(int top, int bottom, int left, int width, int p, int depth) {}

  @FunctionalInterface
  private interface BlockAction {
    void accept(Block block);
  }

  private void forEachBlock(Grid.Part part, BlockAction action) {
    for (int left = part.left(); left < part.right(); left += WIDTH) {
      int width = Math.min(WIDTH, part.right() - left);
      for (int p = 0; p < shape.inner(); p += DEPTH) {
        int depth = Math.min(DEPTH, shape.inner() - p);
        action.accept(new Block(part.top(), part.bottom(), left, width, p, depth));
      }
    }
  }

  private void addPacked(Block block, float[] panels) {
    Lines lines = columns.from(block.left, block.p);
    Panels.packAll(lines, block.width, block.depth, COLUMNS, panels, 0);
    Tile tile = new Tile(rows.stride(), rows.step(), COLUMNS, shape.columns());
    addTiles(block, tile, panels, 0, COLUMNS * block.depth);
  }

  private void addBlock(Block block) {
    Tile tile = new Tile(rows.stride(), rows.step(), columns.step(), shape.columns());
    int start = columns.at(block.left, block.p);
    if (block.bottom - block.top > FEW_ROWS) {
      addTiles(block, tile, columns.values(), start, COLUMNS);
    } else {
      addRows(block, tile, start);
    }
  }

  /// @param bStart where the first panel of `b` begins
  /// @param panel from one panel to the next
  private void addTiles(Block block, Tile tile, float[] b, int bStart, int panel) {
    for (int top = block.top; top < block.bottom; top += HEIGHT) {
      int bottom = Math.min(top + HEIGHT, block.bottom);
      begin(block, top, bottom);
      for (int column = 0; column < block.width; column += COLUMNS) {
        int from = bStart + column / COLUMNS * panel;
        for (int row = top; row < bottom; row += ROWS) {
          tile.multiplyAdd(
              block.depth,
              rows.values(),
              rows.at(row, block.p),
              b,
              from,
              c,
              cStart + row * shape.columns() + block.left + column,
              bottom - row,
              block.width - column);
        }
      }
    }
  }

  private void addRows(Block block, Tile tile, int bStart) {
    float[] a = rows.values();
    float[] b = columns.values();
    begin(block, block.top, block.bottom);
    for (int row = block.top; row < block.bottom; row++) {
      int from = rows.at(row, block.p);
      int to = cStart + row * shape.columns() + block.left;
      int column = 0;
      for (; column <= block.width - ROW_COLUMNS; column += ROW_COLUMNS) {
        tile.addRow(block.depth, a, from, b, bStart + column, c, to + column);
      }
      for (; column < block.width; column += COLUMNS) {
        int width = block.width - column;
        tile.multiplyAdd(block.depth, a, from, b, bStart + column, c, to + column, 1, width);
      }
    }
  }

  /// Puts the bias into `c` where tiles are added next, which find it in the cache then.
  private void begin(Block block, int top, int bottom) {
    if (bias == null || block.p > 0) {
      return;
    }
    for (int row = top; row < bottom; row++) {
      int to = cStart + row * shape.columns() + block.left;
      System.arraycopy(bias, block.left, c, to, block.width);
    }
  }
}
