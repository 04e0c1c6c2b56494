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
import org.jspecify.annotations.Nullable;

/// Convolution as a product of packed panels. A task is one group of an image, of several where
/// images are small, or of a part of the pixels where there are fewer images than threads.
///
/// The left factor, the filters, is packed once. The right one is packed block by block from the
/// images themselves. Sums lie in a block of their own until they are complete, so that results
/// are written once and row by row.
public final class VectorConvolution {
  /// Most filter values of a block: a panel of pixels has 32 KiB at 512 bits.
  private static final int DEPTH = 256;

  /// Sums of a block (512 KiB), a part of the second-level cache.
  private static final int SUMS = 1 << 17;

  /// Pixels of a task whose images have fewer: all of the filters pass by for each task.
  private static final int PIXELS = 512;

  /// Values of a task's images (1 MiB) if they are several.
  private static final int VALUES = 1 << 18;

  /// Filter values of a task that packs them, so that waking another thread pays.
  static final int PACKED = 1 << 14;

  private static final float[] ZEROS = new float[COLUMNS];

  private final Parallel parallel;
  private final ConvolutionShape shape;
  private final PolyphaseImage polyphase;
  private final PixelPanels pixels;
  private final int inner;
  private final int depth;
  private final int[] tapOffsets;

  /// Filters of one group, in whole tiles.
  private final int rows;

  /// Images of a task.
  private final int images;

  public VectorConvolution(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.polyphase = PolyphaseImage.of(shape);
    this.inner = shape.filterSize();
    this.depth = Math.ceilDiv(inner, Math.max(1, Math.ceilDiv(inner, DEPTH)));
    this.tapOffsets = polyphase.tapOffsets();
    this.rows = Panels.padded(shape.groupFilters(), ROWS);
    int most = Math.max(1, Math.ceilDiv(shape.batch(), parallel.threads()));
    int together =
        Math.min(
            PIXELS / Math.max(1, shape.outputPixels()), VALUES / Math.max(1, polyphase.size()));
    this.images = Math.clamp(together, 1, most);
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
          int tasks = Math.ceilDiv(shape.batch(), images) * shape.groups();
          int shares = Math.clamp(parallel.threads() / Math.max(1, tasks), 1, pixels.count() + 1);
          parallel.run(
              tasks * shares,
              task -> compute(task / shares, task % shares, shares, x, packed, bias, y));
        });
  }

  /// Packs lines of tiles, counted through the groups.
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

  /// @param share which of the `shares` parts of the pixels
  private void compute(
      int task,
      int share,
      int shares,
      float[] x,
      Slice<float[]> filters,
      float @Nullable [] bias,
      float[] y) {
    int group = task % shape.groups();
    int first = task / shape.groups() * images;
    int count = Math.min(images, shape.batch() - first);
    PixelPanels present = count == images ? pixels : PixelPanels.of(polyphase, count);
    Slice<float[]> packed = filters.from(group * rows * inner);
    Block block = new Block(present, packed, first, group, bias, y);
    int panels = present.count();
    int begin = panels * share / shares;
    int end = panels * (share + 1) / shares;
    Scratch.borrow(
        count * polyphase.size(),
        values -> {
          for (int image = 0; image < count; image++) {
            int start = shape.imageStart(first + image, group);
            polyphase.split(x, start, values, image * polyphase.size());
          }
          block.run(begin, end, new Slice<>(values, 0));
        });
  }

  /// Results of some images of one group, a block of pixels after the other.
  private final class Block {
    private final PixelPanels panels;
    private final Slice<float[]> filters;
    private final int image;
    private final int group;
    private final float @Nullable [] bias;
    private final float[] y;

    Block(
        PixelPanels panels,
        Slice<float[]> filters,
        int image,
        int group,
        float @Nullable [] bias,
        float[] y) {
      this.panels = panels;
      this.filters = filters;
      this.image = image;
      this.group = group;
      this.bias = bias;
      this.y = y;
    }

    void run(int begin, int end, Slice<float[]> x) {
      int most = Math.clamp(SUMS / (rows * COLUMNS), 1, Math.max(1, end - begin));
      Scratch.borrowLines(
          COLUMNS * depth,
          b ->
              Scratch.borrowLines(
                  (most * COLUMNS + LANES) * rows,
                  sums -> {
                    for (int panel = begin; panel < end; panel += most) {
                      multiply(panel, Math.min(end, panel + most), x, b, sums);
                    }
                  }));
    }

    private void multiply(
        int begin, int end, Slice<float[]> x, Slice<float[]> b, Slice<float[]> sums) {
      int pitch = (end - begin) * COLUMNS + LANES;
      for (int p = 0; p < inner; p += depth) {
        int present = Math.min(depth, inner - p);
        Tile tile = new Tile(1, ROWS, COLUMNS, p == 0 ? 0 : pitch, pitch);
        float[] from = p == 0 ? ZEROS : sums.values();
        for (int panel = begin; panel < end; panel++) {
          int column = (panel - begin) * COLUMNS;
          panels.pack(panel, x, tapOffsets, p, present, b);
          for (int filter = 0; filter < rows; filter += ROWS) {
            int corner = sums.start() + filter * pitch + column;
            tile.multiply(
                present,
                filters.values(),
                filters.start() + filter * inner + p * ROWS,
                b.values(),
                b.start(),
                from,
                p == 0 ? 0 : corner,
                sums.values(),
                corner,
                ROWS,
                COLUMNS);
          }
        }
      }
      store(begin * COLUMNS, end * COLUMNS, pitch, sums);
    }

    /// Adds complete sums to the bias, filter by filter.
    private void store(int first, int last, int pitch, Slice<float[]> sums) {
      int size = shape.outputPixels();
      int end = Math.min(last, panels.columns());
      for (int column = first; column < end; ) {
        int within = column % size;
        int length = Math.min(size - within, end - column);
        int to = shape.outputStart(image + column / size, group) + within;
        for (int filter = 0; filter < shape.groupFilters(); filter++) {
          int from = sums.start() + filter * pitch + column - first;
          float start = bias == null ? 0 : bias[group * shape.groupFilters() + filter];
          copy(sums.values(), from, start, y, to + filter * size, length);
        }
        column += length;
      }
    }
  }

  private static void copy(float[] x, int from, float bias, float[] y, int to, int length) {
    for (int i = 0; i < length; i++) {
      y[to + i] = x[from + i] + bias;
    }
  }
}
