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
import dev.tensorbus.autograd.kernel.vector.product.Transpose;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/// The gradient of a convolution with respect to its 3 x 3 filters, computed from the patches of
/// [VectorWinograd]: F(3x3, 2x2) of Lavin and Gray.
///
/// For each of the 16 places of the transformed filters, a matrix product with a row for each
/// channel and a column for each filter sums over the patches. A task computes this for a part of
/// the batch and for a part of the channels and filters that is small enough for the second-level
/// cache. As in [VectorWinograd], a NaN or an infinity spreads to other values, and [#run] then
/// returns false.
public final class WinogradWeightGradient {
  /// The number of patches that are transformed together.
  private static final int DEPTH = 64;

  /// With fewer channels or filters per group, the products are too small to be efficient. With 32,
  /// patches take 0.7 of the time with AVX2, and 0.9 with AVX-512.
  private static final int LEAST_CHANNELS = 32;

  /// The maximum number of channels of a task.
  private static final int MOST_CHANNELS = 64;

  /// The maximum number of filters of a task. The sums of a task then occupy at most 512 KiB.
  private static final int MOST_FILTERS = 128;

  /// The desired number of tasks. It is constant, so that the order of additions does not depend on
  /// the number of threads.
  private static final int TASKS = 16;

  private static final int TAPS = 9;

  private final Parallel parallel;
  private final ConvolutionShape shape;

  /// The number of channels of a task.
  private final int channels;

  /// The number of filters of a task.
  private final int filters;

  /// The number of channels of a task, rounded up to whole tiles.
  private final int rows;

  /// The number of filters of a task, rounded up to whole tiles.
  private final int columns;

  /// The number of parts into which the channels of a group are divided.
  private final int channelParts;

  /// The number of parts into which the filters of a group are divided.
  private final int filterParts;

  /// The number of pairs of a channel part and a filter part, counted over all groups.
  private final int parts;

  /// The number of parts of the batch, called shares.
  private final int shares;

  /// The number of images whose patches are transformed together.
  private final int images;

  private final TransposedImage transposed;

  /// The offset of each patch in the transposed images.
  private final int[] patches;

  /// The offset of each patch's results in the transposed gradient.
  private final int[] results;

  public WinogradWeightGradient(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.channels = part(shape.groupChannels(), MOST_CHANNELS);
    this.filters = part(shape.groupFilters(), MOST_FILTERS);
    this.rows = Panels.padded(channels, ROWS);
    this.columns = Panels.padded(filters, COLUMNS);
    this.channelParts = shape.groupChannels() / channels;
    this.filterParts = shape.groupFilters() / filters;
    this.parts = shape.groups() * channelParts * filterParts;
    this.shares = Math.clamp(TASKS / parts, 1, shape.batch());
    this.transposed = new TransposedImage(VectorWinograd.patches(shape), channels);
    int most = Math.ceilDiv(shape.batch(), shares);
    this.images = Math.clamp(DEPTH / transposed.shape().outputPixels(), 1, most);
    this.patches = transposed.windowStarts(images);
    this.results = IntStream.range(0, patches.length).map(this::resultOf).toArray();
  }

  private static int part(int count, int most) {
    int part = count;
    while (part > most && part % 2 == 0) {
      part /= 2;
    }
    return part;
  }

  private int resultOf(int patch) {
    int across = shape.outputWidth() / 2;
    return (patch / across * 2 * shape.outputWidth() + patch % across * 2) * columns;
  }

  /// Returns whether this algorithm supports `shape` and is worthwhile for it.
  public static boolean suits(ConvolutionShape shape) {
    return VectorWinograd.suitsPatches(shape, LEAST_CHANNELS);
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#convolutionWeightGradient].
  ///
  /// @return whether all sums are finite; if not, the gradient is unchanged
  public boolean run(float[] x, float[] gradient, float[] weightGradient) {
    AtomicBoolean finite = new AtomicBoolean(true);
    int size = filters * channels * TAPS;
    Scratch.borrow(
        shares * parts * size,
        values -> {
          parallel.run(
              shares * parts,
              task -> {
                sumImages(task / parts, task % parts, x, gradient, values, task * size);
                if (!Winograd.areFinite(values, task * size, size)) {
                  finite.set(false);
                }
              });
          if (finite.get()) {
            parallel.run(parts, part -> addShares(values, part, size, weightGradient));
          }
        });
    return finite.get();
  }

  private void sumImages(int share, int part, float[] x, float[] gradient, float[] values, int to) {
    int last = Parallel.start(shape.batch(), share + 1, shares);
    int first = Parallel.start(shape.batch(), share, shares);
    Sums sums = new Sums();
    Scratch.borrowLines(
        sums.size(),
        block -> {
          sums.clear(block);
          for (int image = first; image < last; image += images) {
            sums.add(image, Math.min(images, last - image), part, x, gradient, block);
          }
          sums.store(block, values, to);
        });
  }

  /// Adds the sums of one part, over all shares of the batch, to the gradient.
  private void addShares(float[] values, int part, int size, float[] weightGradient) {
    int length = channels * TAPS;
    int group = part / filterParts / channelParts;
    int channel = part / filterParts % channelParts * channels;
    int filter = group * shape.groupFilters() + part % filterParts * filters;
    for (int row = 0; row < filters; row++) {
      int to = (filter + row) * shape.filterSize() + channel * TAPS;
      int from = part * size + row * length;
      for (int share = 1; share < shares; share++) {
        add(values, from + share * parts * size, values, from, length);
      }
      add(values, from, weightGradient, to, length);
    }
  }

  private static void add(float[] x, int from, float[] target, int to, int length) {
    for (int i = 0; i < length; i++) {
      target[to + i] += x[from + i];
    }
  }

  /// The products of all places, summed over images. A block of memory contains these sums, the
  /// transformed patches, the transformed gradients of the results, the transposed images, and the
  /// transposed gradients of the results.
  private final class Sums {
    private final Tile tile = Tile.adding(1, ROWS, COLUMNS, columns);
    private final int sumsOfPlace = rows * columns;
    private final int patchesOfPlace = rows * DEPTH + LANES;
    private final int resultsOfPlace = columns * DEPTH + LANES;
    private final int patchBlock = Winograd.PLACES * sumsOfPlace;
    private final int resultBlock = patchBlock + Winograd.PLACES * patchesOfPlace;
    private final int imageBlock = resultBlock + Winograd.PLACES * resultsOfPlace;
    private final int gradientBlock = imageBlock + images * transposed.size() + LANES;

    int size() {
      return gradientBlock + images * shape.outputPixels() * columns;
    }

    void clear(Slice<float[]> block) {
      float[] values = block.values();
      Arrays.fill(values, block.start(), block.start() + patchBlock, 0f);
      Arrays.fill(values, block.start() + imageBlock, block.start() + size(), 0f);
    }

    /// Adds the products of some images.
    void add(int image, int count, int part, float[] x, float[] gradient, Slice<float[]> block) {
      int group = part / filterParts / channelParts;
      int channel = part / filterParts % channelParts * channels;
      int filter = part % filterParts * filters;
      for (int i = 0; i < count; i++) {
        int from = shape.imageStart(image + i, group) + channel * shape.pixels();
        int to = block.start() + imageBlock + i * transposed.size();
        transposed.transpose(x, from, block.values(), to);
        int start = shape.outputStart(image + i, group) + filter * shape.outputPixels();
        transposeResults(gradient, start, block.from(gradientBlock), i);
      }
      int last = count * transposed.shape().outputPixels();
      for (int patch = 0; patch < last; patch += DEPTH) {
        int depth = Math.min(DEPTH, last - patch);
        transformPatches(patch, depth, block.values(), block.start());
        transformResults(patch, depth, block.values(), block.start());
        multiply(depth, block.values(), block.start());
      }
    }

    private void transposeResults(float[] gradient, int start, Slice<float[]> target, int image) {
      int pixels = shape.outputPixels();
      int to = target.start() + image * pixels * columns;
      Lines lines = new Lines(gradient, start, pixels, 1);
      Transpose.run(lines, filters, pixels, target.values(), to, columns);
    }

    /// Transforms `depth` patches. If a vector is wider than a panel, the next patch overwrites its
    /// excess lanes.
    private void transformPatches(int first, int depth, float[] block, int start) {
      int pitch = transposed.pitch();
      for (int row = 0; row < rows; row += Math.min(LANES, ROWS)) {
        int to = start + patchBlock + row / ROWS * ROWS * DEPTH + row % ROWS;
        for (int p = 0; p < depth; p++) {
          int from = start + imageBlock + patches[first + p] + row;
          Winograd.patches(
              block, from, pitch, channels, 2 * channels, block, to + p * ROWS, patchesOfPlace);
        }
      }
    }

    private void transformResults(int first, int depth, float[] block, int start) {
      int below = shape.outputWidth() * columns;
      for (int column = 0; column < columns; column += LANES) {
        int to = start + resultBlock + column / COLUMNS * COLUMNS * DEPTH + column % COLUMNS;
        for (int p = 0; p < depth; p++) {
          int from = start + gradientBlock + results[first + p] + column;
          Winograd.results(block, from, columns, below, block, to + p * COLUMNS, resultsOfPlace);
        }
      }
    }

    private void multiply(int depth, float[] block, int start) {
      for (int place = 0; place < Winograd.PLACES; place++) {
        int a = start + patchBlock + place * patchesOfPlace;
        int b = start + resultBlock + place * resultsOfPlace;
        int corner = start + place * sumsOfPlace;
        for (int column = 0; column < columns; column += COLUMNS) {
          for (int row = 0; row < rows; row += ROWS) {
            int from = a + row * DEPTH;
            int to = corner + row * columns + column;
            tile.multiplyAdd(
                depth, block, from, block, b + column * DEPTH, block, to, ROWS, COLUMNS);
          }
        }
      }
    }

    /// Transforms the sums back to filters, and writes them to `target`, starting at `to`.
    void store(Slice<float[]> block, float[] target, int to) {
      float[] values = block.values();
      int taps = block.start() + patchBlock;
      for (int channel = 0; channel < channels; channel++) {
        for (int filter = 0; filter < columns; filter += LANES) {
          int from = block.start() + channel * columns + filter;
          int at = taps + channel * TAPS * columns + filter;
          Winograd.filters(values, from, sumsOfPlace, values, at, columns);
        }
      }
      int lines = channels * TAPS;
      Transpose.run(new Lines(values, taps, columns, 1), lines, filters, target, to, lines);
    }
  }
}
