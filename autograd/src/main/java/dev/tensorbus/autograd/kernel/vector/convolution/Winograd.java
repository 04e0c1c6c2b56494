// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.shape.ConvolutionShape;
import dev.tensorbus.autograd.kernel.shape.Slice;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import org.jspecify.annotations.Nullable;

/// The transforms of [VectorWinograd], all of them sums and differences. Lanes are patches.
final class Winograd {
  /// Values of a transformed patch, filter or result.
  static final int PLACES = 16;

  private static final VectorShuffle<Float> LOWER = SPECIES.shuffleFromOp(lane -> lane / 2);
  private static final VectorShuffle<Float> UPPER =
      SPECIES.shuffleFromOp(lane -> (LANES + lane) / 2);
  private static final VectorMask<Float> ODD = VectorMask.fromLong(SPECIES, 0xAAAA_AAAAL);

  private Winograd() {}

  /// Transforms nine values of a filter to places that are `next` apart.
  static void filter(float[] weight, int from, float[] target, int to, int next) {
    float[] half = new float[12];
    for (int j = 0; j < 3; j++) {
      spread(weight[from + j], weight[from + 3 + j], weight[from + 6 + j], half, j, 3);
    }
    for (int i = 0; i < 4; i++) {
      spread(half[3 * i], half[3 * i + 1], half[3 * i + 2], target, to + 4 * i * next, next);
    }
  }

  private static void spread(float a, float b, float c, float[] target, int to, int next) {
    target[to] = a;
    target[to + next] = (a + b + c) / 2;
    target[to + 2 * next] = (a - b + c) / 2;
    target[to + 3 * next] = c;
  }

  /// Transforms a vector of patches, whose even and odd columns are `phase` apart.
  static void patches(float[] x, int from, int pitch, int phase, float[] target, int to, int next) {
    patchRow(x, from, from + 2 * pitch, -1, phase, target, to, next);
    patchRow(x, from + pitch, from + 2 * pitch, 1, phase, target, to + 4 * next, next);
    patchRow(x, from + 2 * pitch, from + pitch, -1, phase, target, to + 8 * next, next);
    patchRow(x, from + pitch, from + 3 * pitch, -1, phase, target, to + 12 * next, next);
  }

  /// A row of the transform: row `a` and `sign` times row `b`, then the same with the columns.
  private static void patchRow(
      float[] x, int a, int b, float sign, int phase, float[] target, int to, int next) {
    FloatVector signs = FloatVector.broadcast(SPECIES, sign);
    FloatVector d0 =
        FloatVector.fromArray(SPECIES, x, b).fma(signs, FloatVector.fromArray(SPECIES, x, a));
    FloatVector d1 =
        FloatVector.fromArray(SPECIES, x, b + phase)
            .fma(signs, FloatVector.fromArray(SPECIES, x, a + phase));
    FloatVector d2 =
        FloatVector.fromArray(SPECIES, x, b + 1)
            .fma(signs, FloatVector.fromArray(SPECIES, x, a + 1));
    FloatVector d3 =
        FloatVector.fromArray(SPECIES, x, b + phase + 1)
            .fma(signs, FloatVector.fromArray(SPECIES, x, a + phase + 1));
    d0.sub(d2).intoArray(target, to);
    d1.add(d2).intoArray(target, to + next);
    d2.sub(d1).intoArray(target, to + 2 * next);
    d1.sub(d3).intoArray(target, to + 3 * next);
  }

  /// Takes products back to results of some images of one group.
  static final class Results {
    private final ConvolutionShape shape;
    private final PixelPanels panels;
    private final int image;
    private final int group;
    private final float @Nullable [] bias;
    private final float[] y;

    /// Two rows of results, and lanes that are zero unless a result is infinite or NaN.
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

    /// Where the results of a patch begin, for the first filter.
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

  /// A row of results: three rows of places, the latter two times `sign`, and then the columns.
  ///
  /// @param present how many lanes are patches
  private static void row(
      float[] m, int a, float sign, float bias, float[] pair, int to, int next, int present) {
    VectorMask<Float> mask = SPECIES.indexInRange(0, present); // as an argument it is an object
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
    even.rearrange(LOWER).blend(odd.rearrange(LOWER), ODD).intoArray(pair, to);
    even.rearrange(UPPER).blend(odd.rearrange(UPPER), ODD).intoArray(pair, to + LANES);
    FloatVector.fromArray(SPECIES, pair, 4 * LANES)
        .add(even.sub(even), mask)
        .add(odd.sub(odd), mask)
        .intoArray(pair, 4 * LANES);
  }
}
