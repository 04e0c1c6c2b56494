// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Window;
import dev.tensorbus.autograd.kernel.vector.product.Lines;
import dev.tensorbus.autograd.kernel.vector.product.Panels;
import dev.tensorbus.autograd.kernel.vector.product.Tile;
import dev.tensorbus.autograd.kernel.vector.product.Transpose;
import java.util.Arrays;
import java.util.stream.IntStream;

/// The derivative of a convolution by its filters, as products of packed panels, group by group.
///
/// An image is first transposed so that the channels of a pixel lie side by side, with the padding
/// around it. Then one row of a filter without dilation meets, for every pixel, one run of
/// neighbours: all channels of its values.
public final class VectorWeightGradient {
  /// Pixels per packing: a panel of 32 KiB at 512 bits.
  private static final int DEPTH = 256;

  /// Sums that run side by side: fixed, so that the order of additions does not depend on how
  /// many threads there are.
  private static final int MOST_SUMS = 16;

  /// Sums together hold at most this many values (64 MiB), or there is only one.
  private static final int MOST_VALUES = 1 << 24;

  private final Parallel parallel;
  private final ConvolutionShape shape;
  private final int pixels;

  /// Channels of one group.
  private final int channels;

  /// Values of a transposed image of one group.
  private final int transposed;

  /// For each pixel of a result: where in the transposed image its window begins.
  private final int[] pixelOffsets;

  /// The columns of the product: one for each tap and channel.
  private final ColumnRuns[] panels;

  /// Sizes of one group's sum, `[filters, columns]`; columns in whole vectors.
  private final int filters;

  private final int columns;
  private final Tile tile;

  public VectorWeightGradient(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.pixels = shape.outputPixels();
    this.channels = shape.groupChannels();
    this.transposed = shape.rows().padded() * shape.columns().padded() * channels;
    this.pixelOffsets = IntStream.range(0, pixels).map(this::pixelOffset).toArray();
    this.filters = shape.groupFilters();
    this.columns = Panels.padded(shape.filterSize(), LANES);
    this.tile = Tile.adding(pixels, 1, COLUMNS, columns);
    this.panels = tapPanels();
  }

  private int pixelOffset(int pixel) {
    int row = pixel / shape.outputWidth() * shape.rows().stride();
    int column = pixel % shape.outputWidth() * shape.columns().stride();
    return (row * shape.columns().padded() + column) * channels;
  }

  /// In a transposed image all channels of one tap are neighbours, and so are those of all taps of
  /// one filter row if there is no dilation.
  private ColumnRuns[] tapPanels() {
    int together = shape.columns().dilation() == 1 ? shape.columns().kernel() : 1;
    int across = shape.columns().kernel() / together;
    int[] starts =
        IntStream.range(0, shape.rows().kernel() * across)
            .map(
                run ->
                    run / across * shape.rows().dilation() * shape.columns().padded()
                        + run % across * shape.columns().dilation())
            .map(pixel -> pixel * channels)
            .toArray();
    return IntStream.range(0, (columns + COLUMNS - 1) / COLUMNS)
        .mapToObj(
            panel ->
                ColumnRuns.of(panel * COLUMNS, shape.filterSize(), together * channels, starts))
        .toArray(ColumnRuns[]::new);
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#convolutionWeightGradient].
  public void run(float[] x, float[] gradient, float[] weightGradient) {
    int size = shape.groups() * filters * columns;
    int sums =
        Math.clamp(MOST_VALUES / Math.max(size, 1), 1, Math.clamp(shape.batch(), 1, MOST_SUMS));
    Scratch.borrow(
        sums * size,
        all -> {
          parallel.run(
              sums * shape.groups(),
              task ->
                  sumImages(task / shape.groups(), sums, task % shape.groups(), x, gradient, all));
          for (int sum = 1; sum < sums; sum++) {
            addTo(all, sum * size, size);
          }
          addTransposedBack(all, weightGradient);
        });
  }

  private static void addTo(float[] sums, int from, int size) {
    for (int i = 0; i < size; i++) {
      sums[i] += sums[from + i];
    }
  }

  /// Sums the images of one of `sums` equal shares of the batch.
  private void sumImages(int sum, int sums, int group, float[] x, float[] gradient, float[] all) {
    int at = (sum * shape.groups() + group) * filters * columns;
    Arrays.fill(all, at, at + filters * columns, 0f);
    Scratch.borrow(
        transposed,
        transposedImage ->
            Scratch.borrow(
                DEPTH * COLUMNS,
                b -> {
                  Arrays.fill(transposedImage, 0, transposed, 0f);
                  int last = (int) ((long) shape.batch() * (sum + 1) / sums);
                  for (int i = (int) ((long) shape.batch() * sum / sums); i < last; i++) {
                    transpose(x, shape.imageStart(i, group), transposedImage);
                    addImage(gradient, shape.outputStart(i, group), transposedImage, b, all, at);
                  }
                }));
  }

  /// Transposes the image at `x[start]`. Its padding, zero already, stays as it is.
  private void transpose(float[] x, int start, float[] target) {
    Window across = shape.columns();
    if (across.padding() == 0 && shape.rows().padding() == 0) {
      Lines lines = new Lines(x, start, shape.pixels(), 1);
      Transpose.run(lines, channels, shape.pixels(), target, 0, channels);
      return;
    }
    for (int row = 0; row < shape.height(); row++) {
      int pixel = (row + shape.rows().padding()) * across.padded() + across.padding();
      Lines lines = new Lines(x, start + row * shape.width(), shape.pixels(), 1);
      Transpose.run(lines, channels, shape.width(), target, pixel * channels, channels);
    }
  }

  /// The gradient's rows are multiplied as they lie.
  private void addImage(
      float[] gradient, int start, float[] transposedImage, float[] b, float[] sum, int at) {
    for (int q = 0; q < pixels; q += DEPTH) {
      int depth = Math.min(DEPTH, pixels - q);
      for (int panel = 0; panel < panels.length; panel++) {
        panels[panel].pack(transposedImage, 0, pixelOffsets, q, depth, b);
        for (int filter = 0; filter < filters; filter += ROWS) {
          int from = start + filter * pixels + q;
          int corner = at + filter * columns + panel * COLUMNS;
          tile.multiplyAdd(
              depth, gradient, from, b, 0, sum, corner, filters - filter, panels[panel].columns());
        }
      }
    }
  }

  /// Adds a sum, whose columns run through the channels of each tap, to the gradient, whose
  /// columns run through the taps of each channel.
  private void addTransposedBack(float[] sum, float[] weightGradient) {
    int inner = shape.filterSize();
    for (int filter = 0; filter < shape.filters(); filter++) {
      for (int k = 0; k < inner; k++) {
        int column = k % shape.taps() * channels + k / shape.taps();
        weightGradient[filter * inner + k] += sum[filter * columns + column];
      }
    }
  }
}
