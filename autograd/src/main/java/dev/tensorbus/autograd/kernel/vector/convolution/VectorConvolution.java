// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.vector.product.Lines;
import dev.tensorbus.autograd.kernel.vector.product.Panels;
import dev.tensorbus.autograd.kernel.vector.product.Tile;
import java.util.stream.IntStream;

/// Convolution as a product of packed panels: one group of one image a task, or a part of its
/// pixels where there are fewer than threads.
///
/// The left factor, the filters, is packed once; the right one is packed a panel at a time from
/// the image itself and used while it is in the first-level cache.
public final class VectorConvolution {
  /// Filter values per packing: a panel of 40 KiB at 512 bits.
  private static final int DEPTH = 320;

  private final Parallel parallel;
  private final ConvolutionShape shape;
  private final PolyphaseImage polyphase;
  private final int inner;
  private final int pixels;
  private final int[] tapOffsets;
  private final Tile tile;

  /// Filters of one group, in whole tiles.
  private final int rows;

  /// The columns of the product, one for each pixel of a result, panel by panel.
  private final ColumnRuns[] panels;

  public VectorConvolution(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.polyphase = PolyphaseImage.of(shape);
    this.inner = shape.filterSize();
    this.pixels = shape.outputPixels();
    this.tapOffsets = polyphase.tapOffsets();
    this.rows = Panels.padded(shape.groupFilters(), ROWS);
    this.tile = Tile.adding(1, ROWS, COLUMNS, pixels);
    this.panels = pixelPanels();
  }

  private ColumnRuns[] pixelPanels() {
    boolean adjacent = shape.rows().stride() == 1 && polyphase.pitch() == shape.outputWidth();
    int run = adjacent ? pixels : shape.outputWidth();
    int[] starts = polyphase.rowStarts();
    return IntStream.range(0, Panels.padded(pixels, COLUMNS) / COLUMNS)
        .mapToObj(panel -> ColumnRuns.of(panel * COLUMNS, pixels, run, starts))
        .toArray(ColumnRuns[]::new);
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#convolution].
  public void run(float[] x, float[] weight, float[] y) {
    Scratch.borrow(
        shape.groups() * rows * inner,
        packed -> {
          for (int group = 0; group < shape.groups(); group++) {
            Lines filters = new Lines(weight, group * shape.groupFilters() * inner, inner, 1);
            Panels.packAll(
                filters, shape.groupFilters(), inner, ROWS, packed, group * rows * inner);
          }
          int tasks = shape.batch() * shape.groups();
          int shares = Math.clamp(parallel.threads() / Math.max(1, tasks), 1, panels.length + 1);
          parallel.run(
              tasks * shares, task -> compute(task / shares, task % shares, shares, x, packed, y));
        });
  }

  /// @param share which of the `shares` parts of the panels
  private void compute(int task, int share, int shares, float[] x, float[] filters, float[] y) {
    int first = panels.length * share / shares;
    int end = panels.length * (share + 1) / shares;
    int group = task % shape.groups();
    int image = task / shape.groups();
    int start = shape.imageStart(image, group);
    int result = shape.outputStart(image, group);
    if (polyphase.isPlain()) {
      multiply(first, end, x, start, filters, group * rows * inner, y, result);
    } else {
      Scratch.borrow(
          polyphase.size(),
          values -> {
            polyphase.split(x, start, values);
            multiply(first, end, values, 0, filters, group * rows * inner, y, result);
          });
    }
  }

  private void multiply(
      int first, int end, float[] x, int start, float[] filters, int a, float[] y, int result) {
    Scratch.borrow(
        DEPTH * COLUMNS,
        b -> {
          for (int panel = first; panel < end; panel++) {
            for (int p = 0; p < inner; p += DEPTH) {
              int depth = Math.min(DEPTH, inner - p);
              panels[panel].pack(x, start, tapOffsets, p, depth, b);
              addTiles(depth, filters, a + p * ROWS, b, panel * COLUMNS, y, result);
            }
          }
        });
  }

  /// Adds one panel of pixels to the results of one image.
  private void addTiles(
      int depth, float[] filters, int a, float[] b, int pixel, float[] y, int result) {
    int count = shape.groupFilters();
    for (int filter = 0; filter < count; filter += ROWS) {
      int corner = result + filter * pixels + pixel;
      int from = a + filter * inner;
      tile.multiplyAdd(depth, filters, from, b, 0, y, corner, count - filter, pixels - pixel);
    }
  }
}
