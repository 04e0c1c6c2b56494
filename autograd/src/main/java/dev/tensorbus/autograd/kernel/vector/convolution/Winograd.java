// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Slice;
import dev.tensorbus.autograd.kernel.vector.product.LaneSums;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import org.jspecify.annotations.Nullable;

/// The transforms of [VectorWinograd] and [WinogradWeightGradient], which consist of sums and
/// differences. A lane belongs to a patch in [VectorWinograd], and to a channel or a filter in
/// [WinogradWeightGradient].
final class Winograd {
  /// The number of values (*places*) of a transformed patch, filter or result.
  static final int PLACES = 16;

  private Winograd() {}

  /// Transforms the nine values of a filter to 16 values that are `next` apart.
  static void filter(float[] weight, int from, float[] target, int to, int next) {
    for (int j = 0; j < 3; j++) {
      spread(
          weight[from + j],
          weight[from + 3 + j],
          weight[from + 6 + j],
          target,
          to + j * next,
          4 * next);
    }
    for (int i = 0; i < 4; i++) {
      int row = to + 4 * i * next;
      spread(target[row], target[row + next], target[row + 2 * next], target, row, next);
    }
  }

  private static void spread(float a, float b, float c, float[] target, int to, int next) {
    target[to] = a;
    target[to + next] = (a + b + c) / 2;
    target[to + 2 * next] = (a - b + c) / 2;
    target[to + 3 * next] = c;
  }

  /// Transforms a vector of patches, or a vector of one patch's channels.
  ///
  /// @param pitch the stride from one row to the next
  /// @param odd the distance from the first column to the second
  /// @param even the distance from the first column to the third
  static void patches(
      float[] x, int from, int pitch, int odd, int even, float[] target, int to, int next) {
    int row1 = from + pitch;
    int row2 = from + 2 * pitch;
    patchRow(x, from, row2, -1, odd, even, target, to, next);
    patchRow(x, row1, row2, 1, odd, even, target, to + 4 * next, next);
    patchRow(x, row2, row1, -1, odd, even, target, to + 8 * next, next);
    patchRow(x, row1, from + 3 * pitch, -1, odd, even, target, to + 12 * next, next);
  }

  /// Computes a row of the transformed patch: row `a` plus `sign` times row `b`. The columns are
  /// then combined in the same manner.
  private static void patchRow(
      float[] x, int a, int b, float sign, int odd, int even, float[] target, int to, int next) {
    FloatVector signs = FloatVector.broadcast(SPECIES, sign);
    FloatVector d0 =
        FloatVector.fromArray(SPECIES, x, b).fma(signs, FloatVector.fromArray(SPECIES, x, a));
    FloatVector d1 =
        FloatVector.fromArray(SPECIES, x, b + odd)
            .fma(signs, FloatVector.fromArray(SPECIES, x, a + odd));
    FloatVector d2 =
        FloatVector.fromArray(SPECIES, x, b + even)
            .fma(signs, FloatVector.fromArray(SPECIES, x, a + even));
    FloatVector d3 =
        FloatVector.fromArray(SPECIES, x, b + odd + even)
            .fma(signs, FloatVector.fromArray(SPECIES, x, a + odd + even));
    d0.sub(d2).intoArray(target, to);
    d1.add(d2).intoArray(target, to + next);
    d2.sub(d1).intoArray(target, to + 2 * next);
    d1.sub(d3).intoArray(target, to + 3 * next);
  }

  /// Transforms the gradients of a patch's results, for a vector of filters. The last row and the
  /// last column have the wrong sign, for which [#filters] compensates.
  ///
  /// @param right the distance from a result to the result on its right
  /// @param below the distance from a result to the result below it
  static void results(
      float[] gradient, int from, int right, int below, float[] target, int to, int next) {
    FloatVector a = FloatVector.fromArray(SPECIES, gradient, from);
    FloatVector b = FloatVector.fromArray(SPECIES, gradient, from + right);
    FloatVector c = FloatVector.fromArray(SPECIES, gradient, from + below);
    FloatVector d = FloatVector.fromArray(SPECIES, gradient, from + below + right);
    a.intoArray(target, to);
    a.add(b).intoArray(target, to + next);
    a.sub(b).intoArray(target, to + 2 * next);
    b.intoArray(target, to + 3 * next);
    FloatVector sum = a.add(c);
    FloatVector nextSum = b.add(d);
    sum.intoArray(target, to + 4 * next);
    sum.add(nextSum).intoArray(target, to + 5 * next);
    sum.sub(nextSum).intoArray(target, to + 6 * next);
    nextSum.intoArray(target, to + 7 * next);
    FloatVector difference = a.sub(c);
    FloatVector nextDifference = b.sub(d);
    difference.intoArray(target, to + 8 * next);
    difference.add(nextDifference).intoArray(target, to + 9 * next);
    difference.sub(nextDifference).intoArray(target, to + 10 * next);
    nextDifference.intoArray(target, to + 11 * next);
    c.intoArray(target, to + 12 * next);
    c.add(d).intoArray(target, to + 13 * next);
    c.sub(d).intoArray(target, to + 14 * next);
    d.intoArray(target, to + 15 * next);
  }

  /// For a vector of filters, transforms products back to the nine values of each filter, which are
  /// `pitch` apart.
  static void filters(float[] m, int from, int next, float[] target, int to, int pitch) {
    filterRow(m, from, 1, from + 4 * next, 1, next, target, to, pitch);
    filterRow(m, from, 0, from + 4 * next, -1, next, target, to + 3 * pitch, pitch);
    filterRow(m, from + 12 * next, -1, from + 4 * next, 1, next, target, to + 6 * pitch, pitch);
  }

  /// Computes a row of the filters: `factor` times row `a`, plus half of row `b`, plus `sign` times
  /// half of the row below `b`. The columns are then combined in the same manner.
  private static void filterRow(
      float[] m,
      int a,
      float factor,
      int b,
      float sign,
      int next,
      float[] target,
      int to,
      int pitch) {
    int c = b + 4 * next;
    FloatVector factors = FloatVector.broadcast(SPECIES, factor);
    FloatVector signs = FloatVector.broadcast(SPECIES, sign / 2);
    FloatVector half = FloatVector.broadcast(SPECIES, 0.5f);
    FloatVector e0 = FloatVector.fromArray(SPECIES, m, a).mul(factors);
    e0 = FloatVector.fromArray(SPECIES, m, b).fma(half, e0);
    e0 = FloatVector.fromArray(SPECIES, m, c).fma(signs, e0);
    FloatVector e1 = FloatVector.fromArray(SPECIES, m, a + next).mul(factors);
    e1 = FloatVector.fromArray(SPECIES, m, b + next).fma(half, e1);
    e1 = FloatVector.fromArray(SPECIES, m, c + next).fma(signs, e1);
    FloatVector e2 = FloatVector.fromArray(SPECIES, m, a + 2 * next).mul(factors);
    e2 = FloatVector.fromArray(SPECIES, m, b + 2 * next).fma(half, e2);
    e2 = FloatVector.fromArray(SPECIES, m, c + 2 * next).fma(signs, e2);
    FloatVector e3 = FloatVector.fromArray(SPECIES, m, a + 3 * next).mul(factors);
    e3 = FloatVector.fromArray(SPECIES, m, b + 3 * next).fma(half, e3);
    e3 = FloatVector.fromArray(SPECIES, m, c + 3 * next).fma(signs, e3);
    FloatVector middle = e1.add(e2).mul(half);
    e0.add(middle).intoArray(target, to);
    e1.sub(e2).mul(half).intoArray(target, to + pitch);
    middle.sub(e3).intoArray(target, to + 2 * pitch);
  }

  /// Returns whether all `length` values are finite.
  static boolean areFinite(float[] x, int from, int length) {
    float[] lanes = new float[LANES];
    int whole = SPECIES.loopBound(length);
    FloatVector zeros = FloatVector.zero(SPECIES);
    for (int i = 0; i < whole; i += LANES) {
      FloatVector values = FloatVector.fromArray(SPECIES, x, from + i);
      zeros = zeros.add(values.sub(values));
    }
    zeros.intoArray(lanes, 0);
    boolean finite = LaneSums.sum(lanes, 0) == 0;
    for (int i = from + whole; i < from + length; i++) {
      finite &= Float.isFinite(x[i]);
    }
    return finite;
  }

  /// Transforms products back to the results of some images in one group.
  static final class Results {
    private final ConvolutionShape shape;
    private final PixelPanels panels;
    private final int image;
    private final int group;
    private final float @Nullable [] bias;
    private final float[] y;

    /// Two rows of results, followed by a vector that stays zero unless a result is infinite or
    /// NaN.
    private final float[] pair = new float[5 * LANES];

    Results(
        ConvolutionShape shape,
        PixelPanels panels,
        int image,
        int group,
        float @Nullable [] bias,
        float[] y) {
      this.shape = shape;
      this.panels = panels;
      this.image = image;
      this.group = group;
      this.bias = bias;
      this.y = y;
    }

    /// Writes the results of a panel.
    void write(int panel, Slice<float[]> products, int next) {
      ColumnRuns runs = panels.panels()[panel];
      for (int run = 0; run < runs.targets().length; run++) {
        int target = runs.targets()[run];
        int to = place(panel * COLUMNS + target);
        int present = runs.lengths()[run];
        for (int filter = 0; filter < shape.groupFilters(); filter++) {
          float first = bias == null ? 0 : bias[group * shape.groupFilters() + filter];
          int from = products.start() + filter * COLUMNS + target;
          int at = to + filter * shape.outputPixels();
          row(products.values(), from, 1, first, pair, 0, next, present);
          row(products.values(), from + 4 * next, -1, first, pair, 2 * LANES, next, present);
          System.arraycopy(pair, 0, y, at, 2 * present);
          System.arraycopy(pair, 2 * LANES, y, at + shape.outputWidth(), 2 * present);
        }
      }
    }

    /// Returns the offset of a patch's results for the first filter.
    private int place(int patch) {
      int across = shape.outputWidth() / 2;
      int patches = shape.outputPixels() / 4;
      int within = patch % patches;
      return shape.outputStart(image + patch / patches, group)
          + within / across * 2 * shape.outputWidth()
          + within % across * 2;
    }

    boolean areFinite() {
      float sum = 0;
      for (int lane = 4 * LANES; lane < 5 * LANES; lane++) {
        sum += pair[lane];
      }
      return sum == 0;
    }
  }

  /// Computes a row of results from three rows of products: `a` plus `sign` times each of the next
  /// two rows. The columns are then combined in the same manner.
  ///
  /// @param present the number of lanes that contain patches
  private static void row(
      float[] m, int a, float sign, float bias, float[] pair, int to, int next, int present) {
    VectorMask<Float> mask = SPECIES.indexInRange(0, present); // as a parameter, it would be boxed
    int b = a + 4 * next;
    int c = a + 8 * next;
    FloatVector signs = FloatVector.broadcast(SPECIES, sign);
    FloatVector e0 =
        FloatVector.fromArray(SPECIES, m, b).fma(signs, FloatVector.fromArray(SPECIES, m, a));
    e0 = FloatVector.fromArray(SPECIES, m, c).fma(signs, e0);
    FloatVector e1 =
        FloatVector.fromArray(SPECIES, m, b + next)
            .fma(signs, FloatVector.fromArray(SPECIES, m, a + next));
    e1 = FloatVector.fromArray(SPECIES, m, c + next).fma(signs, e1);
    FloatVector e2 =
        FloatVector.fromArray(SPECIES, m, b + 2 * next)
            .fma(signs, FloatVector.fromArray(SPECIES, m, a + 2 * next));
    e2 = FloatVector.fromArray(SPECIES, m, c + 2 * next).fma(signs, e2);
    FloatVector e3 =
        FloatVector.fromArray(SPECIES, m, b + 3 * next)
            .fma(signs, FloatVector.fromArray(SPECIES, m, a + 3 * next));
    e3 = FloatVector.fromArray(SPECIES, m, c + 3 * next).fma(signs, e3);
    FloatVector biases = FloatVector.broadcast(SPECIES, bias);
    FloatVector even = e0.add(e1).add(e2).add(biases);
    FloatVector odd = e1.sub(e2).sub(e3).add(biases);
    even.rearrange(EvenOdd.LOWER)
        .blend(odd.rearrange(EvenOdd.LOWER), EvenOdd.ODD_LANES)
        .intoArray(pair, to);
    even.rearrange(EvenOdd.UPPER)
        .blend(odd.rearrange(EvenOdd.UPPER), EvenOdd.ODD_LANES)
        .intoArray(pair, to + LANES);
    FloatVector.fromArray(SPECIES, pair, 4 * LANES)
        .add(even.sub(even), mask)
        .add(odd.sub(odd), mask)
        .intoArray(pair, 4 * LANES);
  }
}
