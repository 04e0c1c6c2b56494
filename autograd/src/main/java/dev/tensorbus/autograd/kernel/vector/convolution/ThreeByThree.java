// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import org.jspecify.annotations.Nullable;

/// Convolution of one channel with a 3 x 3 filter, one vector of columns after another. Each row of
/// the image is loaded only once for the three rows of results, or of the filter's gradient, that
/// use it.
///
/// The last vector of a row ends with the row, so it may overlap the previous one.
///
/// @param pitch the length of a row of the image, including padding
/// @param width the number of columns of the result
/// @param height the number of rows of the result
record ThreeByThree(int pitch, int width, int height) {
  /// Returns the kernel for an image layout; null if the filters are not plain 3 x 3 filters over
  /// one channel, or if a row of results is shorter than a vector.
  static @Nullable ThreeByThree of(PolyphaseImage image) {
    ConvolutionShape shape = image.shape();
    return suits(shape)
        ? new ThreeByThree(image.pitch(), shape.outputWidth(), shape.outputHeight())
        : null;
  }

  private static boolean suits(ConvolutionShape shape) {
    return shape.groupChannels() == 1
        && shape.rows().isPlain(3)
        && shape.columns().isPlain(3)
        && shape.outputWidth() >= LANES;
  }

  /// Computes the results of one filter, starting at `y[plane]`.
  void compute(float[] image, float[] weight, int filter, float bias, float[] y, int plane) {
    for (int column = 0; column < width; column += 2 * LANES) {
      int low = Math.min(column, width - LANES);
      int high = Math.min(column + LANES, width - LANES);
      computeColumns(image, weight, filter, bias, y, plane, low, high);
    }
  }

  /// Computes two vectors of columns, which hide each other's latency. A row of results is begun
  /// with one row of the image and completed two rows later.
  private void computeColumns(
      float[] image,
      float[] weight,
      int filter,
      float bias,
      float[] y,
      int plane,
      int low,
      int high) {
    FloatVector w0 = FloatVector.broadcast(SPECIES, weight[filter]);
    FloatVector w1 = FloatVector.broadcast(SPECIES, weight[filter + 1]);
    FloatVector w2 = FloatVector.broadcast(SPECIES, weight[filter + 2]);
    FloatVector w3 = FloatVector.broadcast(SPECIES, weight[filter + 3]);
    FloatVector w4 = FloatVector.broadcast(SPECIES, weight[filter + 4]);
    FloatVector w5 = FloatVector.broadcast(SPECIES, weight[filter + 5]);
    FloatVector w6 = FloatVector.broadcast(SPECIES, weight[filter + 6]);
    FloatVector w7 = FloatVector.broadcast(SPECIES, weight[filter + 7]);
    FloatVector w8 = FloatVector.broadcast(SPECIES, weight[filter + 8]);
    FloatVector start = FloatVector.broadcast(SPECIES, bias);
    FloatVector lowNext = start;
    FloatVector highNext = start;
    FloatVector lowLast = start;
    FloatVector highLast = start;
    for (int row = -2; row < height; row++) {
      int from = (row + 2) * pitch;
      FloatVector l0 = FloatVector.fromArray(SPECIES, image, from + low);
      FloatVector l1 = FloatVector.fromArray(SPECIES, image, from + low + 1);
      FloatVector l2 = FloatVector.fromArray(SPECIES, image, from + low + 2);
      FloatVector h0 = FloatVector.fromArray(SPECIES, image, from + high);
      FloatVector h1 = FloatVector.fromArray(SPECIES, image, from + high + 1);
      FloatVector h2 = FloatVector.fromArray(SPECIES, image, from + high + 2);
      if (row >= 0) {
        int to = plane + row * width;
        l2.fma(w8, l1.fma(w7, l0.fma(w6, lowLast))).intoArray(y, to + low);
        h2.fma(w8, h1.fma(w7, h0.fma(w6, highLast))).intoArray(y, to + high);
      }
      lowLast = l2.fma(w5, l1.fma(w4, l0.fma(w3, lowNext)));
      highLast = h2.fma(w5, h1.fma(w4, h0.fma(w3, highNext)));
      lowNext = l2.fma(w2, l1.fma(w1, l0.fma(w0, start)));
      highNext = h2.fma(w2, h1.fma(w1, h0.fma(w0, start)));
    }
  }

  /// Adds the products for one filter to its nine vectors of sums, starting at `lanes[at]`.
  void addDots(float[] image, float[] gradient, int plane, float[] lanes, int at) {
    for (int column = 0; column < width; column += LANES) {
      addDots(image, gradient, plane, column, lanes, at);
    }
  }

  private void addDots(
      float[] image, float[] gradient, int plane, int column, float[] lanes, int at) {
    int first = Math.min(column, width - LANES);
    FloatVector s0 = FloatVector.fromArray(SPECIES, lanes, at);
    FloatVector s1 = FloatVector.fromArray(SPECIES, lanes, at + LANES);
    FloatVector s2 = FloatVector.fromArray(SPECIES, lanes, at + 2 * LANES);
    FloatVector s3 = FloatVector.fromArray(SPECIES, lanes, at + 3 * LANES);
    FloatVector s4 = FloatVector.fromArray(SPECIES, lanes, at + 4 * LANES);
    FloatVector s5 = FloatVector.fromArray(SPECIES, lanes, at + 5 * LANES);
    FloatVector s6 = FloatVector.fromArray(SPECIES, lanes, at + 6 * LANES);
    FloatVector s7 = FloatVector.fromArray(SPECIES, lanes, at + 7 * LANES);
    FloatVector s8 = FloatVector.fromArray(SPECIES, lanes, at + 8 * LANES);
    FloatVector x0 = FloatVector.fromArray(SPECIES, image, first);
    FloatVector x1 = FloatVector.fromArray(SPECIES, image, first + 1);
    FloatVector x2 = FloatVector.fromArray(SPECIES, image, first + 2);
    FloatVector x3 = FloatVector.fromArray(SPECIES, image, first + pitch);
    FloatVector x4 = FloatVector.fromArray(SPECIES, image, first + pitch + 1);
    FloatVector x5 = FloatVector.fromArray(SPECIES, image, first + pitch + 2);
    for (int row = 0; row < height; row++) {
      int from = (row + 2) * pitch + first;
      FloatVector g = FloatVector.fromArray(SPECIES, gradient, plane + row * width + first);
      FloatVector x6 = FloatVector.fromArray(SPECIES, image, from);
      FloatVector x7 = FloatVector.fromArray(SPECIES, image, from + 1);
      FloatVector x8 = FloatVector.fromArray(SPECIES, image, from + 2);
      s0 = x0.fma(g, s0);
      s1 = x1.fma(g, s1);
      s2 = x2.fma(g, s2);
      s3 = x3.fma(g, s3);
      s4 = x4.fma(g, s4);
      s5 = x5.fma(g, s5);
      s6 = x6.fma(g, s6);
      s7 = x7.fma(g, s7);
      s8 = x8.fma(g, s8);
      x0 = x3;
      x1 = x4;
      x2 = x5;
      x3 = x6;
      x4 = x7;
      x5 = x8;
    }
    // Lanes whose columns also belong to the previous vector are not added again.
    VectorMask<Float> ours = SPECIES.indexInRange(first - column, LANES);
    s0.intoArray(lanes, at, ours);
    s1.intoArray(lanes, at + LANES, ours);
    s2.intoArray(lanes, at + 2 * LANES, ours);
    s3.intoArray(lanes, at + 3 * LANES, ours);
    s4.intoArray(lanes, at + 4 * LANES, ours);
    s5.intoArray(lanes, at + 5 * LANES, ours);
    s6.intoArray(lanes, at + 6 * LANES, ours);
    s7.intoArray(lanes, at + 7 * LANES, ours);
    s8.intoArray(lanes, at + 8 * LANES, ours);
  }
}
