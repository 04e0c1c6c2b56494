// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Slice;
import dev.tensorbus.autograd.kernel.vector.product.Lines;
import dev.tensorbus.autograd.kernel.vector.product.Panels;
import dev.tensorbus.autograd.kernel.vector.product.Tile;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The gradient of a convolution with respect to its images, computed as products of packed panels.
/// A task computes one group of one image.
///
/// This is [VectorConvolution] in reverse. The rows of a tile belong to values of a filter, and its
/// columns to adjacent pixels of a result. Run by run, the tile is added to the values of the
/// polyphase image that the convolution would read. The im2col matrix therefore never exists as a
/// whole.
public final class VectorInputGradient {
  private static final float[] ZEROS = new float[COLUMNS];

  private final Parallel parallel;
  private final ConvolutionShape shape;
  private final PolyphaseImage polyphase;
  private final PixelPanels pixels;

  /// The indices of a filter's values, ordered so that consecutive ones do not add to the same
  /// pixels: an addition to recently stored values would wait for the stores.
  private final int[] order;

  /// For each of these values, the offset of the image value that it multiplies for the first
  /// result.
  private final int[] offsets;

  /// The number of values of a filter, rounded up to whole tiles.
  private final int rows;

  private final int filters;

  public VectorInputGradient(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.polyphase = PolyphaseImage.of(shape);
    this.pixels = PixelPanels.of(polyphase, 1);
    this.order = IntStream.range(0, shape.filterSize()).map(this::columnByColumn).toArray();
    int[] taps = polyphase.tapOffsets();
    this.offsets = IntStream.of(order).map(k -> taps[k]).toArray();
    this.rows = Panels.padded(shape.filterSize(), ROWS);
    this.filters = shape.groupFilters();
  }

  /// Returns element `i` of the order: tap by tap, down each column of the filter, with all
  /// channels of a tap in sequence.
  private int columnByColumn(int i) {
    int tap = i / shape.groupChannels();
    int height = shape.rows().kernel();
    int place = tap % height * shape.columns().kernel() + tap / height;
    return i % shape.groupChannels() * shape.taps() + place;
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#convolutionInputGradient].
  public void run(float[] weight, float[] gradient, float @Nullable [] bias, float[] xGradient) {
    int size = rows * filters;
    Scratch.borrowLines(
        shape.groups() * size,
        packed -> {
          parallel.divide(
              shape.groups() * rows / ROWS,
              Math.max(1, VectorConvolution.PACKED / Math.max(1, ROWS * filters)),
              (first, end) -> pack(first, end, weight, packed));
          parallel.run(
              shape.batch() * shape.groups(),
              task -> {
                Slice<float[]> part = packed.from(task % shape.groups() * size);
                addImage(
                    task / shape.groups(), task % shape.groups(), part, gradient, bias, xGradient);
              });
        });
  }

  /// Packs the rows of tiles from `first` (inclusive) to `end` (exclusive). Rows are numbered
  /// consecutively across all groups. The left factor has a row for each filter value, in the order
  /// of `order`, and a column for each filter.
  private void pack(int first, int end, float[] weight, Slice<float[]> packed) {
    int lines = rows / ROWS;
    int size = ROWS * filters;
    Arrays.fill(packed.values(), packed.start() + first * size, packed.start() + end * size, 0f);
    for (int line = first; line < end; line++) {
      int from = line / lines * filters * order.length;
      int row = line % lines * ROWS;
      for (int k = row; k < Math.min(order.length, row + ROWS); k++) {
        int to = packed.start() + line * size + k - row;
        for (int filter = 0; filter < filters; filter++) {
          packed.values()[to + filter * ROWS] = weight[from + filter * order.length + order[k]];
        }
      }
    }
  }

  private void addImage(
      int image,
      int group,
      Slice<float[]> packed,
      float[] gradient,
      float @Nullable [] bias,
      float[] xGradient) {
    Scratch.borrow(
        polyphase.size(),
        sums -> {
          Arrays.fill(sums, 0, polyphase.size(), 0f);
          int start = shape.outputStart(image, group);
          Scratch.borrowLines(
              (filters + ROWS) * COLUMNS, b -> addPanels(packed, gradient, start, b, sums));
          polyphase.copyBack(sums, bias, group, xGradient, shape.imageStart(image, group));
        });
  }

  /// Adds the products to `sums` panel by panel. Each panel of the gradient stays in the
  /// first-level cache while it is multiplied by all filter values.
  private void addPanels(
      Slice<float[]> packed, float[] gradient, int start, Slice<float[]> b, float[] sums) {
    Tile tile = new Tile(1, ROWS, COLUMNS, 0, COLUMNS);
    int to = b.start() + filters * COLUMNS;
    for (int panel = 0; panel < pixels.count(); panel++) {
      int pixel = panel * COLUMNS;
      int present = Math.min(COLUMNS, pixels.columns() - pixel);
      Lines lines = new Lines(gradient, start + pixel, 1, pixels.columns());
      Panels.packAll(lines, present, filters, COLUMNS, b);
      for (int row = 0; row < rows; row += ROWS) {
        tile.multiply(
            filters,
            packed.values(),
            packed.start() + row * filters,
            b.values(),
            b.start(),
            ZEROS,
            0,
            b.values(),
            to,
            ROWS,
            COLUMNS);
        pixels.add(panel, b.from(filters * COLUMNS), offsets, row, sums);
      }
    }
  }
}
