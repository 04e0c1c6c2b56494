// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.ROWS;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Slice;
import dev.tensorbus.autograd.kernel.shape.Window;
import dev.tensorbus.autograd.kernel.vector.product.Panels;
import dev.tensorbus.autograd.kernel.vector.product.Tile;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Convolution with 3 x 3 filters and 2.25 times fewer multiplications: F(2x2, 3x3) of Lavin and
/// Gray, "Fast Algorithms for Convolutional Neural Networks" (2015).
///
/// A patch of 4 x 4 values determines 2 x 2 results; the next patch begins two values later.
/// [Winograd] transforms patches and filters to 16 values each. For each of the 16 positions
/// (called *places*), the transformed filters and patches are then multiplied as matrices, summing
/// over the channels.
///
/// The transforms combine values that a direct convolution would not, so a NaN or an infinity in a
/// patch spreads to all its results. In that case [#run] returns false, and [VectorConvolution]
/// computes everything again.
public final class VectorWinograd {
  /// The maximum number of transformed values in a block (2 MiB), counting those of the patches and
  /// of the results.
  private static final int BLOCK = 1 << 19;

  /// A task covers several images only if they have at most this many patches in total.
  private static final int PATCHES = 512;

  /// A task covers several images only if they have at most this many values (1 MiB) in total.
  private static final int VALUES = 1 << 18;

  /// With fewer channels or filters per group, the transforms take longer than the multiplications
  /// that they save. Multiplications take twice as long with vectors of half the width, the
  /// transforms less: with 32 channels, patches take 0.9 of the time with AVX2, and 1.2 with
  /// AVX-512.
  private static final int LEAST_CHANNELS = Math.max(32, 4 * LANES);

  /// With fewer results per filter, transforming the filters does not pay off.
  private static final int LEAST_RESULTS = 512;

  /// More transformed filter values than this would not stay in a cache.
  private static final int MOST_FILTER_VALUES = 1 << 20;

  private static final float[] ZEROS = new float[COLUMNS];

  private final Parallel parallel;
  private final ConvolutionShape shape;

  /// The layout of the images, with the patches as windows.
  private final PolyphaseImage patches;

  private final int channels;
  private final int rows;

  /// The number of parts of the batch. Each part of each group is a task.
  private final int parts;

  /// The stride between two places of a panel's transformed patches, including spare lanes.
  private final int placeOfPatches;

  /// The stride between two places of a panel's transformed results.
  private final int placeOfResults;

  public VectorWinograd(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.patches = PolyphaseImage.of(patches(shape));
    this.channels = shape.groupChannels();
    this.rows = Panels.padded(shape.groupFilters(), ROWS);
    int together = Math.min(PATCHES / patches.shape().outputPixels(), VALUES / patches.size());
    this.parts = parallel.parts(shape.batch(), Math.max(1, together));
    this.placeOfPatches = channels * COLUMNS + LANES;
    this.placeOfResults = rows * COLUMNS;
  }

  /// Returns whether this algorithm supports `shape` and is worthwhile for it.
  public static boolean suits(ConvolutionShape shape) {
    return suitsPatches(shape, LEAST_CHANNELS)
        && (long) Winograd.PLACES * shape.filters() * shape.groupChannels() <= MOST_FILTER_VALUES;
  }

  /// Returns whether the filters are 3 x 3 and there are enough results.
  ///
  /// @param leastChannels the minimum number of channels and filters per group
  static boolean suitsPatches(ConvolutionShape shape, int leastChannels) {
    return suitsPatches(shape.rows())
        && suitsPatches(shape.columns())
        && Math.min(shape.groupChannels(), shape.groupFilters()) >= leastChannels
        && (long) shape.batch() * shape.outputPixels() >= LEAST_RESULTS;
  }

  private static boolean suitsPatches(Window window) {
    return window.isPlain(3) && window.outputs() % 2 == 0;
  }

  /// Returns the shape of a convolution whose windows are the patches. Each of its results stands
  /// for 2 x 2 results of `shape`.
  static ConvolutionShape patches(ConvolutionShape shape) {
    return new ConvolutionShape(
        shape.batch(),
        shape.channels(),
        shape.filters(),
        shape.groups(),
        patches(shape.rows()),
        patches(shape.columns()));
  }

  private static Window patches(Window window) {
    return new Window(window.size(), 4, 2, window.padding(), 1);
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#convolution].
  ///
  /// @return whether all results are finite; if not, `y` is invalid
  public boolean run(float[] x, float[] weight, float @Nullable [] bias, float[] y) {
    AtomicBoolean finite = new AtomicBoolean(true);
    Scratch.borrowLines(
        Winograd.PLACES * shape.groups() * rows * channels,
        filters -> {
          parallel.divide(
              shape.groups() * rows / ROWS,
              1,
              (first, end) -> {
                for (int line = first; line < end; line++) {
                  packFilters(line, weight, filters);
                }
              });
          parallel.run(
              parts * shape.groups(),
              task -> {
                if (!compute(task, x, filters, bias, y)) {
                  finite.set(false);
                }
              });
        });
    return finite.get();
  }

  /// Transforms and packs a row of filter tiles. Rows are numbered consecutively across all groups.
  private void packFilters(int line, float[] weight, Slice<float[]> packed) {
    int group = line / (rows / ROWS);
    int first = line % (rows / ROWS) * ROWS;
    int next = rows * channels;
    int to = packed.start() + group * Winograd.PLACES * next + first * channels;
    for (int place = 0; place < Winograd.PLACES; place++) {
      int at = to + place * next;
      Arrays.fill(packed.values(), at, at + ROWS * channels, 0f);
    }
    for (int row = 0; row < Math.min(ROWS, shape.groupFilters() - first); row++) {
      int from = (group * shape.groupFilters() + first + row) * shape.filterSize();
      for (int channel = 0; channel < channels; channel++) {
        int at = to + channel * ROWS + row;
        Winograd.filter(weight, from + channel * 9, packed.values(), at, next);
      }
    }
  }

  /// Computes the results of one group for a part of the batch. Returns whether all of them are
  /// finite.
  private boolean compute(
      int task, float[] x, Slice<float[]> filters, float @Nullable [] bias, float[] y) {
    int group = task % shape.groups();
    int part = task / shape.groups();
    int first = Parallel.start(shape.batch(), part, parts);
    int count = Parallel.start(shape.batch(), part + 1, parts) - first;
    PixelPanels panels = PixelPanels.of(patches, count);
    int size = Winograd.PLACES * (placeOfPatches + placeOfResults);
    int most = Math.clamp(BLOCK / size, 1, panels.count());
    Winograd.Results results = new Winograd.Results(shape, panels, first, group, bias, y);
    Slice<float[]> ours = filters.from(group * Winograd.PLACES * rows * channels);
    Scratch.borrow(
        count * patches.size() + 2 * LANES,
        values -> {
          for (int image = 0; image < count; image++) {
            int start = shape.imageStart(first + image, group);
            patches.split(x, start, values, image * patches.size());
          }
          Scratch.borrowLines(
              most * size,
              block -> {
                for (int panel = 0; panel < panels.count(); panel += most) {
                  int end = Math.min(panels.count(), panel + most);
                  multiply(panel, end, panels, values, ours, block, results);
                }
              });
        });
    return results.areFinite();
  }

  private void multiply(
      int begin,
      int end,
      PixelPanels panels,
      float[] values,
      Slice<float[]> filters,
      Slice<float[]> block,
      Winograd.Results results) {
    Slice<float[]> products = block.from((end - begin) * Winograd.PLACES * placeOfPatches);
    for (int panel = begin; panel < end; panel++) {
      int to = (panel - begin) * Winograd.PLACES * placeOfPatches;
      panels.transform(panel, values, patches, channels, block.from(to), placeOfPatches);
    }
    Tile tile = new Tile(1, ROWS, COLUMNS, 0, COLUMNS);
    for (int place = 0; place < Winograd.PLACES; place++) {
      for (int panel = begin; panel < end; panel++) {
        int number = (panel - begin) * Winograd.PLACES + place;
        for (int row = 0; row < rows; row += ROWS) {
          tile.multiply(
              channels,
              filters.values(),
              filters.start() + (place * rows + row) * channels,
              block.values(),
              block.start() + number * placeOfPatches,
              ZEROS,
              0,
              products.values(),
              products.start() + number * placeOfResults + row * COLUMNS,
              ROWS,
              COLUMNS);
        }
      }
    }
    for (int panel = begin; panel < end; panel++) {
      int from = (panel - begin) * Winograd.PLACES * placeOfResults;
      results.write(panel, products.from(from), placeOfResults);
    }
  }
}
