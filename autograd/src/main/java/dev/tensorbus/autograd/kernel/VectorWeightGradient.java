// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static dev.tensorbus.autograd.kernel.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.Tile.ROWS;

import java.util.Arrays;
import java.util.stream.IntStream;

/// The derivative of a convolution by its filters, as products of packed panels.
///
/// An image is first turned so that the channels of a pixel lie side by side. Then what one row
/// of a filter meets, all channels of it, is a run of neighbours for every pixel.
final class VectorWeightGradient {
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

  /// For each pixel of a result: where in the turned image its window begins.
  private final int[] pixelOffsets;

  /// The columns of the product: one for each tap and channel.
  private final Pieces[] panels;

  /// Sizes of one sum, `[rows, columns]`, in whole tiles.
  private final int rows;

  private final int columns;

  VectorWeightGradient(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.pixels = shape.outputPixels();
    this.pixelOffsets =
        IntStream.range(0, pixels)
            .map(q -> q / shape.outputWidth() * shape.width() + q % shape.outputWidth())
            .map(pixel -> pixel * shape.channels())
            .toArray();
    this.rows = Panels.padded(shape.filters(), ROWS);
    this.columns = Panels.padded(shape.filterSize(), COLUMNS);
    this.panels = tapPanels();
  }

  /// In a turned image all channels of all taps of one filter row are neighbours.
  private Pieces[] tapPanels() {
    int run = shape.kernelWidth() * shape.channels();
    int[] starts =
        IntStream.range(0, shape.kernelHeight())
            .map(row -> row * shape.width() * shape.channels())
            .toArray();
    return IntStream.range(0, columns / COLUMNS)
        .mapToObj(panel -> Pieces.of(panel * COLUMNS, shape.filterSize(), run, starts))
        .toArray(Pieces[]::new);
  }

  /// See [Kernels#convolutionWeightGradient].
  void run(float[] x, float[] gradient, float[] weightGradient) {
    int size = rows * columns;
    int sums =
        Math.clamp(MOST_VALUES / Math.max(size, 1), 1, Math.clamp(shape.batch(), 1, MOST_SUMS));
    Scratch.borrow(
        sums * size,
        all -> {
          parallel.run(sums, sum -> sumImages(sum, sums, x, gradient, all));
          for (int sum = 1; sum < sums; sum++) {
            addTo(all, sum * size, size);
          }
          addTurnedBack(all, weightGradient);
        });
  }

  private static void addTo(float[] sums, int from, int size) {
    for (int i = 0; i < size; i++) {
      sums[i] += sums[from + i];
    }
  }

  /// Sums the images of one of `sums` equal shares of the batch.
  private void sumImages(int sum, int sums, float[] x, float[] gradient, float[] all) {
    int at = sum * rows * columns;
    int turned = shape.pixels() * shape.channels();
    Arrays.fill(all, at, at + rows * columns, 0f);
    Scratch.borrow(
        turned + DEPTH * rows,
        scratch ->
            Scratch.borrow(
                DEPTH * COLUMNS,
                b -> {
                  int last = (int) ((long) shape.batch() * (sum + 1) / sums);
                  for (int i = (int) ((long) shape.batch() * sum / sums); i < last; i++) {
                    Lines channels = new Lines(x, i * turned, shape.pixels(), 1);
                    Panels.pack(
                        channels, shape.channels(), shape.pixels(), shape.channels(), scratch, 0);
                    addImage(i, gradient, scratch, turned, b, all, at);
                  }
                }));
  }

  /// @param scratch the turned image, then room for the gradient's panels from `turned` on
  private void addImage(
      int image, float[] gradient, float[] scratch, int turned, float[] b, float[] sum, int at) {
    Lines filters = new Lines(gradient, image * shape.filters() * pixels, pixels, 1);
    for (int q = 0; q < pixels; q += DEPTH) {
      int depth = Math.min(DEPTH, pixels - q);
      Panels.packAll(filters.from(0, q), shape.filters(), depth, ROWS, scratch, turned);
      for (int panel = 0; panel < panels.length; panel++) {
        panels[panel].pack(scratch, 0, pixelOffsets, q, depth, b);
        for (int row = 0; row < rows; row += ROWS) {
          int corner = at + row * columns + panel * COLUMNS;
          Tile.multiplyAdd(depth, scratch, turned + row * depth, b, 0, sum, corner, columns);
        }
      }
    }
  }

  /// Adds a sum, whose columns run through the channels of each tap, to the gradient, whose
  /// columns run through the taps of each channel.
  private void addTurnedBack(float[] sum, float[] weightGradient) {
    int inner = shape.filterSize();
    for (int filter = 0; filter < shape.filters(); filter++) {
      for (int k = 0; k < inner; k++) {
        int column = k % shape.taps() * shape.channels() + k / shape.taps();
        weightGradient[filter * inner + k] += sum[filter * columns + column];
      }
    }
  }
}
