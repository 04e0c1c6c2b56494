// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Slice;
import dev.tensorbus.autograd.kernel.vector.product.Lines;
import dev.tensorbus.autograd.kernel.vector.product.Panels;
import dev.tensorbus.autograd.kernel.vector.product.Tile;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Convolution as a product of packed panels. A task computes one group of an image, or of several
/// small images. If there are fewer tasks than threads, each is divided into ranges of pixels.
///
/// The filters are the left factor and are packed once. The right factor is packed from the images
/// block by block. Partial sums are kept in a separate buffer; a tile is written to the results
/// only after the last block of filter values has been added.
public final class VectorConvolution {
  /// The maximum number of filter values of a block. With vectors of 512 bits, a panel of pixels
  /// then occupies 32 KiB.
  private static final int DEPTH = 256;

  /// Panels that are at most half of [#DEPTH] deep are packed together, up to this total depth, so
  /// that the results of each filter are written in longer runs.
  private static final int SHALLOW = 1024;

  /// The maximum number of partial sums of a block of pixels: 512 KiB, which fits in the
  /// second-level cache.
  private static final int SUMS = 1 << 17;

  /// The maximum number of pixels of a task with several images. A much lower limit would be
  /// slower, since each task reads all filters.
  private static final int PIXELS = 512;

  /// The maximum number of image values (1 MiB) of a task with several images.
  private static final int VALUES = 1 << 18;

  /// Packing this many filter values makes waking another thread worthwhile.
  static final int PACKED = 1 << 14;

  private final Parallel parallel;
  private final ConvolutionShape shape;
  private final PolyphaseImage polyphase;
  private final PixelPanels pixels;
  private final int inner;
  private final int depth;
  private final int[] tapOffsets;

  /// The number of filters of one group, rounded up to whole tiles.
  private final int rows;

  /// The number of parts of the batch. Each part of each group is a task.
  private final int parts;

  /// The maximum number of images of a part.
  private final int images;

  /// The number of panels that are packed together.
  private final int together;

  public VectorConvolution(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.polyphase = PolyphaseImage.of(shape);
    this.inner = shape.filterSize();
    this.depth = Math.ceilDiv(inner, Math.max(1, Math.ceilDiv(inner, DEPTH)));
    this.together = depth > DEPTH / 2 ? 1 : SHALLOW / Math.max(1, depth);
    this.tapOffsets = polyphase.tapOffsets();
    this.rows = Panels.padded(shape.groupFilters(), ROWS);
    int together =
        Math.min(
            PIXELS / Math.max(1, shape.outputPixels()), VALUES / Math.max(1, polyphase.size()));
    this.parts = parallel.parts(shape.batch(), Math.max(1, together));
    this.images = Math.ceilDiv(shape.batch(), Math.max(1, parts));
    this.pixels = PixelPanels.of(polyphase, images);
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#convolution].
  public void run(float[] x, float[] weight, float @Nullable [] bias, float[] y) {
    int lines = rows / ROWS * shape.groups();
    Scratch.borrowLines(
        shape.groups() * rows * inner,
        packed -> {
          parallel.divide(
              lines,
              Math.max(1, PACKED / Math.max(1, ROWS * inner)),
              (first, end) -> packFilters(first, end, weight, packed));
          int tasks = parts * shape.groups();
          int shares = Math.clamp(parallel.threads() / Math.max(1, tasks), 1, pixels.count() + 1);
          parallel.run(
              tasks * shares,
              task -> compute(task / shares, task % shares, shares, x, packed, bias, y));
        });
  }

  /// Packs the rows of tiles from `first` (inclusive) to `end` (exclusive). Rows are numbered
  /// consecutively across all groups.
  private void packFilters(int first, int end, float[] weight, Slice<float[]> packed) {
    for (int line = first; line < end; line++) {
      int filter = line % (rows / ROWS) * ROWS;
      int group = line / (rows / ROWS);
      int from = (group * shape.groupFilters() + filter) * inner;
      int present = Math.min(ROWS, shape.groupFilters() - filter);
      Lines filters = new Lines(weight, from, inner, 1);
      Panels.packAll(filters, present, inner, ROWS, packed.from(line * ROWS * inner));
    }
  }

  /// Computes the results of a task for one range of pixels.
  ///
  /// @param share the index of the range, out of `shares`
  private void compute(
      int task,
      int share,
      int shares,
      float[] x,
      Slice<float[]> filters,
      float @Nullable [] bias,
      float[] y) {
    int group = task % shape.groups();
    int part = task / shape.groups();
    int first = Parallel.start(shape.batch(), part, parts);
    int count = Parallel.start(shape.batch(), part + 1, parts) - first;
    PixelPanels present = count == images ? pixels : PixelPanels.of(polyphase, count);
    Slice<float[]> packed = filters.from(group * rows * inner);
    int panels = present.count();
    int begin = panels * share / shares;
    int end = panels * (share + 1) / shares;
    int most = Math.clamp(SUMS / (rows * COLUMNS), 1, Math.max(1, end - begin));
    Scratch.borrow(
        count * polyphase.size(),
        values -> {
          for (int image = 0; image < count; image++) {
            int start = shape.imageStart(first + image, group);
            polyphase.split(x, start, values, image * polyphase.size());
          }
          Scratch.borrowLines(
              COLUMNS * (together * depth + rows) + rows * pitch(most),
              memory -> {
                Block block = new Block(present, packed, first, group, bias, y, memory, most);
                for (int panel = begin; panel < end; panel += most) {
                  block.run(panel, Math.min(end, panel + most), new Slice<>(values, 0));
                }
              });
        });
  }

  /// Computes the results of some images in one group, one block of pixels after another.
  private final class Block {
    private final PixelPanels panels;
    private final Slice<float[]> filters;
    private final int image;
    private final int group;
    private final float[] y;

    /// The packed panels, followed by the bias of each filter (repeated for all columns of a tile)
    /// and by the sums.
    private final Slice<float[]> memory;

    private final int biases;
    private final int sums;

    /// The stride from one row of sums to the next.
    private final int pitch;

    Block(
        PixelPanels panels,
        Slice<float[]> filters,
        int image,
        int group,
        float @Nullable [] bias,
        float[] y,
        Slice<float[]> memory,
        int most) {
      this.panels = panels;
      this.filters = filters;
      this.image = image;
      this.group = group;
      this.y = y;
      this.memory = memory;
      this.biases = memory.start() + together * depth * COLUMNS;
      this.sums = biases + rows * COLUMNS;
      this.pitch = pitch(most);
      fillBiases(bias);
    }

    private void fillBiases(float @Nullable [] bias) {
      for (int row = 0; row < rows; row++) {
        int to = biases + row * COLUMNS;
        float first = 0;
        if (bias != null && row < shape.groupFilters()) {
          first = bias[group * shape.groupFilters() + row];
        }
        Arrays.fill(memory.values(), to, to + COLUMNS, first);
      }
    }

    void run(int begin, int end, Slice<float[]> x) {
      for (int p = 0; p < inner; p += depth) {
        for (int panel = begin; panel < end; panel += together) {
          int last = Math.min(end, panel + together);
          for (int i = panel; i < last; i++) {
            Slice<float[]> b = memory.from((i - panel) * depth * COLUMNS);
            panels.pack(i, x, tapOffsets, p, Math.min(depth, inner - p), b);
          }
          for (int filter = 0; filter < rows; filter += ROWS) {
            for (int i = panel; i < last; i++) {
              multiply(p, filter, i, i - panel, i - begin);
            }
          }
        }
      }
    }

    /// Multiplies a tile of filters by a panel, whose index is `panel` among all panels, `slot`
    /// among the packed panels, and `place` among the sums. After the last block of filter values,
    /// a whole tile is written directly to the results, so that the stores overlap with the next
    /// products.
    private void multiply(int p, int filter, int panel, int slot, int place) {
      int present = Math.min(depth, inner - p);
      int sum = sums + filter * pitch + place * COLUMNS;
      boolean last = p + present == inner;
      boolean direct = last && isWhole(panel, filter);
      new Tile(1, ROWS, COLUMNS, p == 0 ? COLUMNS : pitch, direct ? shape.outputPixels() : pitch)
          .multiply(
              present,
              filters.values(),
              filters.start() + filter * inner + p * ROWS,
              memory.values(),
              memory.start() + slot * depth * COLUMNS,
              memory.values(),
              p == 0 ? biases + filter * COLUMNS : sum,
              direct ? y : memory.values(),
              direct ? result(panel * COLUMNS, filter) : sum,
              ROWS,
              COLUMNS);
      if (last && !direct) {
        copy(sum, panel * COLUMNS, filter);
      }
    }

    /// Returns whether all rows of a tile are filters and all its columns are pixels of one image.
    private boolean isWhole(int panel, int filter) {
      int column = panel * COLUMNS;
      return filter + ROWS <= shape.groupFilters()
          && column % shape.outputPixels() + COLUMNS <= shape.outputPixels();
    }

    /// Returns the offset of a filter's result for a column.
    private int result(int column, int filter) {
      int size = shape.outputPixels();
      return shape.outputStart(image + column / size, group) + filter * size + column % size;
    }

    /// Copies a tile to the results, in runs of pixels of the same image.
    private void copy(int sum, int first, int filter) {
      int size = shape.outputPixels();
      int end = Math.min(first + COLUMNS, panels.columns());
      int height = Math.min(ROWS, shape.groupFilters() - filter);
      for (int column = first; column < end; ) {
        int length = Math.min(size - column % size, end - column);
        int to = result(column, filter);
        for (int row = 0; row < height; row++) {
          int from = sum + row * pitch + column - first;
          System.arraycopy(memory.values(), from, y, to + row * size, length);
        }
        column += length;
      }
    }
  }

  private static int pitch(int panels) {
    return panels * COLUMNS + LANES;
  }
}
