// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.lang.reflect.Array;
import java.util.function.Consumer;

/// A version of a table's values in small blocks of rows. The next version shares all blocks but
/// those whose rows [changed][#changed], so a step over a few rows costs as much as these, however
/// many the table has. Readers keep the version that they have.
///
/// Pages of pointers to blocks are shared in the same way. It is the persistent vector of Bagwell
/// and Rompf ("RRB-Trees: Efficient Immutable Vectors"), with two levels.
///
/// Safe for any number of threads.
public final class RowBlocks implements Layout {
  /// So many values make a block, if no row is longer. It is copied where one of its rows changes.
  private static final int BLOCK_VALUES = 64;

  /// So many blocks make a page. The pages of a million rows are 16,000.
  private static final int PAGE_BITS = 6;

  private static final int IN_PAGE = (1 << PAGE_BITS) - 1;

  private final Shape shape;
  private final DType dtype;
  private final int columns;
  private final int blockRows;
  private final Object[][] pages;

  private RowBlocks(RowBlocks like, Object[][] pages) {
    this(like.shape, like.dtype, pages);
  }

  private RowBlocks(Shape shape, DType dtype, Object[][] pages) {
    this.shape = shape;
    this.dtype = dtype;
    this.columns = shape.size(0) == 0 ? 0 : shape.elements() / shape.size(0);
    this.blockRows = Math.max(1, BLOCK_VALUES / Math.max(1, columns));
    this.pages = pages;
  }

  /// The values of a tensor of one axis at least: its own blocks, or a copy.
  public static RowBlocks of(Tensor table) {
    return table.layout() instanceof RowBlocks present
        ? present
        : copied(table.shape(), table.dtype(), table.storage());
  }

  private static RowBlocks copied(Shape shape, DType dtype, Object values) {
    RowBlocks empty = new RowBlocks(shape, dtype, new Object[0][]);
    int count = Math.ceilDiv(shape.size(0), empty.blockRows);
    Object[][] pages = new Object[Math.ceilDiv(count, IN_PAGE + 1)][];
    for (int page = 0; page < pages.length; page++) {
      pages[page] = new Object[Math.min(IN_PAGE + 1, count - (page << PAGE_BITS))];
    }
    int length = empty.blockRows * empty.columns;
    for (int block = 0; block < count; block++) {
      int from = block * length;
      int copied = Math.min(length, shape.elements() - from);
      Object copy = dtype.newArray(copied);
      System.arraycopy(values, from, copy, 0, copied);
      pages[block >> PAGE_BITS][block & IN_PAGE] = copy;
    }
    return new RowBlocks(empty, pages);
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public DType dtype() {
    return dtype;
  }

  /// Copies these rows into an array, one after another.
  public Object take(int... rows) {
    Object taken = dtype.newArray(rows.length * columns);
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(block(rows[i]), offset(rows[i]), taken, i * columns, columns);
    }
    return taken;
  }

  /// The array that holds a row, from its [offset][#offset] on. Not to be written to but in the
  /// making of a version, in rows that change.
  public Object block(int row) {
    int block = row / blockRows;
    return pages[block >> PAGE_BITS][block & IN_PAGE];
  }

  /// Where a row begins in its [block][#block].
  public int offset(int row) {
    return row % blockRows * columns;
  }

  /// The next version.
  ///
  /// @param rows that change, in ascending order
  /// @param change writes to these rows of the version that it is given, which nobody else has
  public RowBlocks changed(int[] rows, Consumer<RowBlocks> change) {
    Object[][] next = pages.clone();
    int lastPage = -1;
    int lastBlock = -1;
    for (int row : rows) {
      int block = row / blockRows;
      int page = block >> PAGE_BITS;
      if (page != lastPage) {
        next[page] = next[page].clone();
      }
      if (block != lastBlock) {
        next[page][block & IN_PAGE] = DType.copyOf(next[page][block & IN_PAGE]);
      }
      lastPage = page;
      lastBlock = block;
    }
    RowBlocks version = new RowBlocks(this, next);
    change.accept(version);
    return version;
  }

  @Override
  public Object dense() {
    Object dense = dtype.newArray(shape.elements());
    int at = 0;
    for (Object[] page : pages) {
      for (Object block : page) {
        int length = Array.getLength(block);
        System.arraycopy(block, 0, dense, at, length);
        at += length;
      }
    }
    return dense;
  }
}
