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

/// The gradient of a convolution with respect to its filters, computed as products of packed
/// panels. A task computes the sum over a part of the batch, for some channels of one group.
///
/// An image is first padded and transposed so that the channels of a pixel are contiguous. Then all
/// the values that a row of a filter multiplies at one pixel are contiguous as well, unless the
/// filter is dilated.
public final class VectorWeightGradient {
  /// The number of pixels that are packed together. With vectors of 512 bits, a panel then occupies
  /// 32 KiB.
  private static final int DEPTH = 256;

  /// The maximum number of values (1 MiB) of several images that are packed together. If possible,
  /// the channels are divided so that a sum also has at most this many values.
  private static final int SUM = 1 << 18;

  /// The channels of a group are not divided further if a part has at most this many, which fill a
  /// vector of 512 bits.
  private static final int FEW_CHANNELS = 16;

  /// The maximum number of partial sums. It is constant, so that the order of additions does not
  /// depend on the number of threads.
  private static final int MOST_SUMS = 16;

  /// The maximum number of values of all partial sums (8 MiB), unless there is only one.
  private static final int MOST_VALUES = 1 << 21;

  private final Parallel parallel;
  private final ConvolutionShape shape;
  private final int pixels;
  private final int filters;

  /// The number of parts into which the channels of a group are divided.
  private final int parts;

  /// The number of channels of each part.
  private final int channels;

  private final TransposedImage transposed;

  /// The number of images whose pixels are packed together.
  private final int images;

  /// For each output pixel, the offset of its window in the transposed images.
  private final int[] pixelOffsets;

  /// The columns of the product, one for each tap and channel.
  private final ColumnRuns[] panels;

  /// The number of filters, rounded up to whole tiles.
  private final int rows;

  /// The number of columns of the product, rounded up to whole tiles.
  private final int columns;
  private final Tile tile;

  public VectorWeightGradient(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.pixels = shape.outputPixels();
    this.filters = shape.groupFilters();
    this.channels = channelsOfPart(shape);
    this.parts = shape.groupChannels() / Math.max(1, channels);
    this.transposed = new TransposedImage(shape, channels);
    int together = Math.min(DEPTH / Math.max(1, pixels), SUM / Math.max(1, transposed.size()));
    this.images = Math.clamp(together, 1, Math.max(1, shape.batch()));
    this.pixelOffsets = transposed.windowStarts(images);
    this.rows = Panels.padded(filters, ROWS);
    this.columns = Panels.padded(channels * shape.taps(), COLUMNS);
    this.tile = Tile.adding(1, ROWS, COLUMNS, columns);
    this.panels = tapPanels();
  }

  private static int channelsOfPart(ConvolutionShape shape) {
    int channels = shape.groupChannels();
    int size = shape.groupFilters() * shape.taps();
    while (channels % 2 == 0 && channels > FEW_CHANNELS && (long) channels * size > SUM) {
      channels /= 2;
    }
    return channels;
  }

  /// Returns the panels of all taps and channels. In a transposed image, all channels of one tap
  /// are contiguous. Without dilation, all taps of one filter row are contiguous, too.
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
    int count = channels * shape.taps();
    return IntStream.range(0, columns / COLUMNS)
        .mapToObj(panel -> ColumnRuns.of(panel * COLUMNS, count, together * channels, starts))
        .toArray(ColumnRuns[]::new);
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#convolutionWeightGradient].
  public void run(float[] x, float[] gradient, float[] weightGradient) {
    int all = parts * shape.groups();
    int size = rows * columns;
    int most = Math.clamp(shape.batch(), 1, MOST_SUMS);
    int sums = Math.clamp(MOST_VALUES / Math.max((long) all * size, 1), 1, most);
    Scratch.borrowLines(
        sums * all * size,
        values -> {
          parallel.run(
              sums * all,
              task ->
                  sumImages(task / all, sums, task % all, x, gradient, values.from(task * size)));
          parallel.run(
              all,
              part -> {
                for (int sum = 1; sum < sums; sum++) {
                  addTo(values.from(part * size), (sum * all) * size, size);
                }
                addTransposedBack(values.from(part * size), part, weightGradient);
              });
        });
  }

  private static void addTo(Slice<float[]> sums, int from, int size) {
    float[] values = sums.values();
    int start = sums.start();
    for (int i = 0; i < size; i++) {
      values[start + i] += values[start + from + i];
    }
  }

  /// Computes one of the `sums` partial sums, each of which covers an equal part of the batch.
  private void sumImages(
      int share, int sums, int part, float[] x, float[] gradient, Slice<float[]> sum) {
    Arrays.fill(sum.values(), sum.start(), sum.start() + rows * columns, 0f);
    Scratch.borrow(
        images * transposed.size(),
        transposedImages ->
            Scratch.borrowLines(
                DEPTH * (COLUMNS + rows),
                packed -> {
                  Arrays.fill(transposedImages, 0, images * transposed.size(), 0f);
                  int last = Parallel.start(shape.batch(), share + 1, sums);
                  int first = Parallel.start(shape.batch(), share, sums);
                  for (int image = first; image < last; image += images) {
                    int count = Math.min(images, last - image);
                    addImages(image, count, part, x, gradient, transposedImages, packed, sum);
                  }
                }));
  }

  private void addImages(
      int image,
      int count,
      int part,
      float[] x,
      float[] gradient,
      float[] transposedImages,
      Slice<float[]> packed,
      Slice<float[]> sum) {
    int group = part / parts;
    for (int i = 0; i < count; i++) {
      int start = shape.imageStart(image + i, group) + part % parts * channels * shape.pixels();
      transposed.transpose(x, start, transposedImages, i * transposed.size());
    }
    for (int q = 0; q < count * pixels; q += DEPTH) {
      int depth = Math.min(DEPTH, count * pixels - q);
      packGradient(image, group, q, depth, gradient, packed.from(DEPTH * COLUMNS));
      addPixels(q, depth, transposedImages, packed, sum);
    }
  }

  /// Packs the gradient of `depth` pixels as the left factor, with a row for each filter. Pixels
  /// are numbered from the first pixel of image `image`, and `q` is the first to pack.
  private void packGradient(
      int image, int group, int q, int depth, float[] gradient, Slice<float[]> target) {
    for (int filter = 0; filter < filters; filter += ROWS) {
      int present = Math.min(ROWS, filters - filter);
      for (int p = 0; p < depth; ) {
        int within = (q + p) % pixels;
        int length = Math.min(pixels - within, depth - p);
        int start = shape.outputStart(image + (q + p) / pixels, group) + filter * pixels + within;
        Lines lines = new Lines(gradient, start, pixels, 1);
        Panels.packAll(lines, present, length, ROWS, target.from(filter * depth + p * ROWS));
        p += length;
      }
    }
  }

  private void addPixels(
      int q, int depth, float[] transposedImages, Slice<float[]> packed, Slice<float[]> sum) {
    float[] b = packed.values();
    int at = packed.start();
    for (int panel = 0; panel < panels.length; panel++) {
      panels[panel].pack(transposedImages, 0, pixelOffsets, q, depth, b, at);
      for (int filter = 0; filter < rows; filter += ROWS) {
        int from = at + DEPTH * COLUMNS + filter * depth;
        int corner = sum.start() + filter * columns + panel * COLUMNS;
        tile.multiplyAdd(depth, b, from, b, at, sum.values(), corner, ROWS, COLUMNS);
      }
    }
  }

  /// Adds a sum, which is ordered by tap and then channel, to the gradient, which is ordered by
  /// channel and then tap.
  private void addTransposedBack(Slice<float[]> sum, int part, float[] weightGradient) {
    int taps = shape.taps();
    for (int filter = 0; filter < filters; filter++) {
      int row = part / parts * filters + filter;
      int to = row * shape.filterSize() + part % parts * channels * taps;
      int from = sum.start() + filter * columns;
      for (int channel = 0; channel < channels; channel++) {
        for (int tap = 0; tap < taps; tap++) {
          weightGradient[to++] += sum.values()[from + tap * channels + channel];
        }
      }
    }
  }
}
