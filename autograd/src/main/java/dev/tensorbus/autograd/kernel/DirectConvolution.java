// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel;

import static dev.tensorbus.autograd.kernel.Tile.LANES;
import static dev.tensorbus.autograd.kernel.Tile.SPECIES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/// Convolutions whose groups have fewer filters than a tile has rows, depthwise ones above all:
/// row by row of a result, without packing. One group of one image is a task; for the filters'
/// gradient one group of all images, so that the order of additions is always the same.
final class DirectConvolution {
  private final Parallel parallel;
  private final ConvolutionShape shape;
  private final SpreadImage spread;
  private final int inner;
  private final int width;
  private final int[] tapOffsets;
  private final int[] rowStarts;

  DirectConvolution(Parallel parallel, ConvolutionShape shape) {
    this.parallel = parallel;
    this.shape = shape;
    this.spread = SpreadImage.of(shape);
    this.inner = shape.filterSize();
    this.width = shape.outputWidth();
    this.tapOffsets = spread.tapOffsets();
    this.rowStarts = spread.rowStarts();
  }

  /// Whether filters of `shape` are so few that panels would be mostly empty.
  static boolean suits(ConvolutionShape shape) {
    return shape.groups() > 1 && shape.groupFilters() <= Tile.ROWS / 4;
  }

  /// See [Kernels#convolution].
  void run(float[] x, float[] weight, float[] y) {
    parallel.run(
        shape.batch() * shape.groups(),
        task ->
            Scratch.borrow(
                spread.size(),
                image -> {
                  int group = task % shape.groups();
                  spread.spread(x, shape.imageStart(task / shape.groups(), group), image);
                  int result = shape.outputStart(task / shape.groups(), group);
                  forEachFilter(group, result, (w, plane) -> addPlane(image, weight, w, y, plane));
                }));
  }

  /// What is done for a filter: where its weights and its results begin.
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

  private void addPlane(float[] image, float[] weight, int filter, float[] y, int plane) {
    for (int row = 0; row < rowStarts.length; row++) {
      for (int column = 0; column < width; column += LANES) {
        int from = rowStarts[row] + column;
        int to = plane + row * width + column;
        if (column + LANES <= width) {
          addVector(image, from, weight, filter, y, to);
        } else {
          addPart(image, from, weight, filter, y, to, SPECIES.indexInRange(column, width));
        }
      }
    }
  }

  /// One accumulator: the next vectors' sums do not wait for this one's.
  private void addVector(float[] image, int from, float[] weight, int filter, float[] y, int to) {
    FloatVector sum = FloatVector.fromArray(SPECIES, y, to);
    for (int k = 0; k < inner; k++) {
      sum =
          FloatVector.fromArray(SPECIES, image, from + tapOffsets[k])
              .fma(FloatVector.broadcast(SPECIES, weight[filter + k]), sum);
    }
    sum.intoArray(y, to);
  }

  private void addPart(
      float[] image,
      int from,
      float[] weight,
      int filter,
      float[] y,
      int to,
      VectorMask<Float> present) {
    FloatVector sum = FloatVector.fromArray(SPECIES, y, to, present);
    for (int k = 0; k < inner; k++) {
      sum =
          FloatVector.fromArray(SPECIES, image, from + tapOffsets[k], present)
              .fma(FloatVector.broadcast(SPECIES, weight[filter + k]), sum);
    }
    sum.intoArray(y, to, present);
  }

  /// See [Kernels#convolutionInputGradient].
  void runInputGradient(float[] weight, float[] gradient, float[] xGradient) {
    parallel.run(
        shape.batch() * shape.groups(),
        task ->
            Scratch.borrow(
                spread.size(),
                sums -> {
                  int group = task % shape.groups();
                  int result = shape.outputStart(task / shape.groups(), group);
                  Arrays.fill(sums, 0, spread.size(), 0f);
                  forEachFilter(
                      group, result, (w, plane) -> addTaps(weight, w, gradient, plane, sums));
                  int start = shape.imageStart(task / shape.groups(), group);
                  spread.addBack(sums, xGradient, start);
                }));
  }

  /// Tap by tap: a vector is read again long after it was stored, since one that is read while
  /// its parts are still on their way to the cache waits for them.
  private void addTaps(float[] weight, int filter, float[] gradient, int plane, float[] sums) {
    for (int k = 0; k < inner; k++) {
      for (int row = 0; row < rowStarts.length; row++) {
        int to = tapOffsets[k] + rowStarts[row];
        addScaled(gradient, plane + row * width, weight[filter + k], sums, to, width);
      }
    }
  }

  /// `sums[to + i] += x[from + i] * factor`.
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

  /// See [Kernels#convolutionWeightGradient].
  void runWeightGradient(float[] x, float[] gradient, float[] weightGradient) {
    parallel.run(
        shape.groups(),
        group ->
            Scratch.borrow(
                spread.size(),
                spreadImage -> {
                  for (int image = 0; image < shape.batch(); image++) {
                    spread.spread(x, shape.imageStart(image, group), spreadImage);
                    forEachFilter(
                        group,
                        shape.outputStart(image, group),
                        (w, plane) -> addDots(spreadImage, gradient, plane, weightGradient, w));
                  }
                }));
  }

  private void addDots(float[] image, float[] gradient, int plane, float[] sums, int filter) {
    float[] lanes = new float[LANES];
    for (int k = 0; k < inner; k++) {
      dot(image, tapOffsets[k], gradient, plane, lanes);
      double sum = 0;
      for (float lane : lanes) {
        sum += lane;
      }
      sums[filter + k] += (float) sum;
    }
  }

  /// What one tap meets times the gradient there, summed in each lane by itself.
  private void dot(float[] image, int tap, float[] gradient, int plane, float[] lanes) {
    int whole = SPECIES.loopBound(width);
    VectorMask<Float> rest = SPECIES.indexInRange(whole, width);
    FloatVector even = FloatVector.zero(SPECIES);
    FloatVector odd = even;
    for (int row = 0; row < rowStarts.length; row++) {
      int from = rowStarts[row] + tap;
      int to = plane + row * width;
      for (int i = 0; i < whole; i += LANES) {
        even =
            FloatVector.fromArray(SPECIES, image, from + i)
                .fma(FloatVector.fromArray(SPECIES, gradient, to + i), even);
      }
      odd =
          FloatVector.fromArray(SPECIES, image, from + whole, rest)
              .fma(FloatVector.fromArray(SPECIES, gradient, to + whole, rest), odd);
    }
    even.add(odd).intoArray(lanes, 0);
  }
}
