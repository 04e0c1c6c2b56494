// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Parallel;
import dev.tensorbus.autograd.kernel.Scratch;
import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.vector.product.LaneSums;
import dev.tensorbus.autograd.kernel.vector.product.Tile;
import java.util.Arrays;
import java.util.function.ObjIntConsumer;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import org.jspecify.annotations.Nullable;

/// Convolutions whose groups have few filters, mainly depthwise convolutions, computed row by row
/// without packing. A task computes one group of one image. For the gradient of the filters, it
/// computes one group of all images, so that the order of additions is fixed. Where possible, 3 x 3
/// filters are computed by [ThreeByThree]; all others are computed by loops over the taps.
public final class DirectConvolution {
  private final Parallel parallel;
  private final ConvolutionShape shape;
  private final PolyphaseImage polyphase;
  private final @Nullable ThreeByThree threeByThree;
  private final int inner;
  private final int width;
  private final int[] tapOffsets;
  private final int[] rowStarts;

  public DirectConvolution(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.polyphase = PolyphaseImage.of(shape);
    this.threeByThree = ThreeByThree.of(polyphase);
    this.inner = shape.filterSize();
    this.width = shape.outputWidth();
    this.tapOffsets = polyphase.tapOffsets();
    this.rowStarts = polyphase.rowStarts();
  }

  /// Returns whether `shape` has so few filters per group that panels would be mostly empty.
  public static boolean suits(ConvolutionShape shape) {
    return shape.groups() > 1 && shape.groupFilters() <= Tile.ROWS / 4;
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#convolution].
  public void run(float[] x, float[] weight, float @Nullable [] bias, float[] y) {
    parallel.divide(
        shape.batch() * shape.groups(),
        1,
        (first, end) ->
            forEachImage(
                x,
                first,
                end,
                1,
                (image, task) -> {
                  int group = task % shape.groups();
                  int result = shape.outputStart(task / shape.groups(), group);
                  forEachFilter(
                      group,
                      result,
                      (w, plane) -> {
                        float start = bias == null ? 0 : bias[w / inner];
                        computePlane(image, weight, w, start, y, plane);
                      });
                }));
  }

  /// Calls `action` for every `step`-th index from `first` (inclusive) to `end` (exclusive). For
  /// index `i`, it passes the channels of group `i % groups` of image `i / groups`. All calls use
  /// the same array, whose padding is cleared once.
  private void forEachImage(
      float[] x, int first, int end, int step, ObjIntConsumer<float[]> action) {
    Scratch.borrow(
        polyphase.size() + LANES,
        image -> {
          Arrays.fill(image, 0, polyphase.size(), 0f);
          for (int i = first; i < end; i += step) {
            polyphase.splitAgain(x, shape.imageStart(0, i), image, 0);
            action.accept(image, i);
          }
        });
  }

  /// Processes one filter, given the offsets of its weights and its results.
  @FunctionalInterface
  private interface Filter {
    void accept(int weight, int plane);
  }

  private void forEachFilter(int group, int result, Filter action) {
    for (int filter = 0; filter < shape.groupFilters(); filter++) {
      int weight = (group * shape.groupFilters() + filter) * inner;
      action.accept(weight, result + filter * shape.outputPixels());
    }
  }

  private void computePlane(
      float[] image, float[] weight, int filter, float bias, float[] y, int plane) {
    if (threeByThree != null) {
      threeByThree.compute(image, weight, filter, bias, y, plane);
      return;
    }
    for (int column = 0; column < width; column += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(column, width);
      for (int row = 0; row < rowStarts.length; row += 4) {
        computeRows(image, weight, filter, bias, y, plane, row, column, present);
      }
    }
  }

  /// Computes one vector in each of up to four rows, which share the loaded weights and hide each
  /// other's latency. If there are fewer rows, the last one is computed repeatedly. The loads are
  /// not masked, since C1 cannot handle four masked loads in the loop. They may read beyond the end
  /// of a row; the array has room for one more vector.
  private void computeRows(
      float[] image,
      float[] weight,
      int filter,
      float bias,
      float[] y,
      int plane,
      int row,
      int column,
      VectorMask<Float> present) {
    int last = rowStarts.length - 1;
    int r1 = Math.min(row + 1, last);
    int r2 = Math.min(row + 2, last);
    int r3 = Math.min(row + 3, last);
    int x0 = rowStarts[row] + column;
    int x1 = rowStarts[r1] + column;
    int x2 = rowStarts[r2] + column;
    int x3 = rowStarts[r3] + column;
    int to = plane + column;
    FloatVector s0 = FloatVector.broadcast(SPECIES, bias);
    FloatVector s1 = FloatVector.broadcast(SPECIES, bias);
    FloatVector s2 = FloatVector.broadcast(SPECIES, bias);
    FloatVector s3 = FloatVector.broadcast(SPECIES, bias);
    for (int k = 0; k < inner; k++) {
      int tap = tapOffsets[k];
      FloatVector w = FloatVector.broadcast(SPECIES, weight[filter + k]);
      s0 = FloatVector.fromArray(SPECIES, image, x0 + tap).fma(w, s0);
      s1 = FloatVector.fromArray(SPECIES, image, x1 + tap).fma(w, s1);
      s2 = FloatVector.fromArray(SPECIES, image, x2 + tap).fma(w, s2);
      s3 = FloatVector.fromArray(SPECIES, image, x3 + tap).fma(w, s3);
    }
    s0.intoArray(y, to + row * width, present);
    s1.intoArray(y, to + r1 * width, present);
    s2.intoArray(y, to + r2 * width, present);
    s3.intoArray(y, to + r3 * width, present);
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#convolutionInputGradient].
  public void runInputGradient(
      float[] weight, float[] gradient, float @Nullable [] bias, float[] xGradient) {
    parallel.run(
        shape.batch() * shape.groups(),
        task ->
            Scratch.borrow(
                polyphase.size(),
                sums -> {
                  int group = task % shape.groups();
                  int result = shape.outputStart(task / shape.groups(), group);
                  Arrays.fill(sums, 0, polyphase.size(), 0f);
                  forEachFilter(
                      group, result, (w, plane) -> addTaps(weight, w, gradient, plane, sums));
                  int start = shape.imageStart(task / shape.groups(), group);
                  polyphase.copyBack(sums, bias, group, xGradient, start);
                }));
  }

  /// Adds the contributions of one filter to `sums`, tap by tap, so that a vector is loaded long
  /// after it was stored: a load that overlaps recent partial stores would wait for them to reach
  /// the cache.
  private void addTaps(float[] weight, int filter, float[] gradient, int plane, float[] sums) {
    for (int k = 0; k < inner; k++) {
      for (int row = 0; row < rowStarts.length; row++) {
        int to = tapOffsets[k] + rowStarts[row];
        addScaled(gradient, plane + row * width, weight[filter + k], sums, to, width);
      }
    }
  }

  /// Adds `x[from + i] * factor` to `sums[to + i]` for each `i` below `length`.
  private static void addScaled(
      float[] x, int from, float factor, float[] sums, int to, int length) {
    FloatVector factors = FloatVector.broadcast(SPECIES, factor);
    int i = 0;
    for (; i <= length - LANES; i += LANES) {
      FloatVector.fromArray(SPECIES, x, from + i)
          .fma(factors, FloatVector.fromArray(SPECIES, sums, to + i))
          .intoArray(sums, to + i);
    }
    if (i < length) {
      VectorMask<Float> present = SPECIES.indexInRange(i, length);
      FloatVector.fromArray(SPECIES, x, from + i, present)
          .fma(factors, FloatVector.fromArray(SPECIES, sums, to + i, present))
          .intoArray(sums, to + i, present);
    }
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#convolutionWeightGradient].
  public void runWeightGradient(float[] x, float[] gradient, float[] weightGradient) {
    parallel.run(
        shape.groups(),
        group ->
            Scratch.borrow(
                shape.groupFilters() * inner * LANES,
                lanes -> {
                  int first = group * shape.groupFilters() * inner;
                  Arrays.fill(lanes, 0, shape.groupFilters() * inner * LANES, 0f);
                  forEachImage(
                      x,
                      group,
                      shape.batch() * shape.groups(),
                      shape.groups(),
                      (image, task) ->
                          forEachFilter(
                              group,
                              shape.outputStart(0, task),
                              (w, plane) ->
                                  addDots(image, gradient, plane, lanes, (w - first) * LANES)));
                  for (int k = 0; k < shape.groupFilters() * inner; k++) {
                    weightGradient[first + k] += LaneSums.sum(lanes, k * LANES);
                  }
                }));
  }

  /// Adds the products for one filter to `lanes`, which contains a vector for each filter value,
  /// the first at index `at`.
  private void addDots(float[] image, float[] gradient, int plane, float[] lanes, int at) {
    if (threeByThree != null) {
      threeByThree.addDots(image, gradient, plane, lanes, at);
      return;
    }
    for (int k = 0; k < inner; k += 4) {
      for (int column = 0; column < width; column += LANES) {
        dots(image, k, gradient, plane, column, lanes, at);
      }
    }
  }

  /// Multiplies the gradient by the image values of four taps, for one vector of columns in all
  /// rows, and adds the products to `lanes`. If there are fewer taps, the last one is computed
  /// repeatedly.
  private void dots(
      float[] image, int k, float[] gradient, int plane, int column, float[] lanes, int at) {
    VectorMask<Float> present = SPECIES.indexInRange(column, width);
    int k1 = Math.min(k + 1, inner - 1);
    int k2 = Math.min(k + 2, inner - 1);
    int k3 = Math.min(k + 3, inner - 1);
    int t0 = tapOffsets[k] + column;
    int t1 = tapOffsets[k1] + column;
    int t2 = tapOffsets[k2] + column;
    int t3 = tapOffsets[k3] + column;
    FloatVector s0 = FloatVector.fromArray(SPECIES, lanes, at + k * LANES);
    FloatVector s1 = FloatVector.fromArray(SPECIES, lanes, at + k1 * LANES);
    FloatVector s2 = FloatVector.fromArray(SPECIES, lanes, at + k2 * LANES);
    FloatVector s3 = FloatVector.fromArray(SPECIES, lanes, at + k3 * LANES);
    for (int row = 0; row < rowStarts.length; row++) {
      int from = rowStarts[row];
      FloatVector g =
          FloatVector.fromArray(SPECIES, gradient, plane + row * width + column, present);
      s0 = FloatVector.fromArray(SPECIES, image, from + t0, present).fma(g, s0);
      s1 = FloatVector.fromArray(SPECIES, image, from + t1, present).fma(g, s1);
      s2 = FloatVector.fromArray(SPECIES, image, from + t2, present).fma(g, s2);
      s3 = FloatVector.fromArray(SPECIES, image, from + t3, present).fma(g, s3);
    }
    s0.intoArray(lanes, at + k * LANES);
    s1.intoArray(lanes, at + k1 * LANES);
    s2.intoArray(lanes, at + k2 * LANES);
    s3.intoArray(lanes, at + k3 * LANES);
  }
}
