// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath.BIAS;
import static dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath.EXP_0;
import static dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath.EXP_1;
import static dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath.EXP_2;
import static dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath.EXP_3;
import static dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath.EXP_4;
import static dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath.LOG2_E;
import static dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath.MANTISSA_BITS;
import static dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath.MINUS_LN2_HIGH;
import static dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath.MINUS_LN2_LOW;
import static dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath.ROUNDING;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.COLUMNS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/// The steps of a softmax of each column of a matrix that is as wide as a
/// [dev.tensorbus.autograd.kernel.vector.product.Tile]. Each column occupies one lane, so no step
/// needs to add or compare the lanes of a vector.
public final class ColumnSoftmax {
  /// For smaller values, the exponential is 0 instead of a denormal number.
  private static final float LOWEST = -87f;

  private ColumnSoftmax() {}

  /// Sets `greatest[to + j]` to the maximum of itself and the first `rows` values of column `j`.
  /// NaN is ignored.
  public static void max(float[] x, int start, int rows, float[] greatest, int to) {
    FloatVector low = FloatVector.fromArray(SPECIES, greatest, to);
    FloatVector high = FloatVector.fromArray(SPECIES, greatest, to + LANES);
    for (int row = 0; row < rows; row++) {
      FloatVector l = FloatVector.fromArray(SPECIES, x, start + row * COLUMNS);
      FloatVector h = FloatVector.fromArray(SPECIES, x, start + LANES + row * COLUMNS);
      low = low.blend(l, l.compare(VectorOperators.GT, low));
      high = high.blend(h, h.compare(VectorOperators.GT, high));
    }
    low.intoArray(greatest, to);
    high.intoArray(greatest, to + LANES);
  }

  /// Replaces each value `x` of the first `rows` rows with `exp(x - shift) * factor`, with a shift
  /// and a factor for each column, and adds the results to the sum of the column. A value must not
  /// be much larger than its shift, or the exponential overflows.
  ///
  /// @param columns contains the shifts from index `shift`, the factors from `factor`, and the sums
  ///     from `sum`
  public static void exp(
      float[] x, int start, int rows, float[] columns, int shift, int factor, int sum) {
    for (int j = 0; j < COLUMNS; j += LANES) {
      FloatVector less = FloatVector.fromArray(SPECIES, columns, shift + j);
      FloatVector times = FloatVector.fromArray(SPECIES, columns, factor + j);
      FloatVector total = FloatVector.fromArray(SPECIES, columns, sum + j);
      int from = start + j;
      for (int row = 0; row < rows; row++) {
        FloatVector v = FloatVector.fromArray(SPECIES, x, from + row * COLUMNS).sub(less);
        FloatVector rounded = v.fma(LOG2_E, ROUNDING);
        FloatVector k = rounded.sub(ROUNDING);
        FloatVector r = k.fma(MINUS_LN2_LOW, k.fma(MINUS_LN2_HIGH, v));
        FloatVector p = EXP_4.fma(r, EXP_3);
        p = p.fma(r, EXP_2);
        p = p.fma(r, EXP_1);
        p = p.fma(r, EXP_0);
        p = p.fma(r.mul(r), r).add(1f);
        FloatVector power =
            rounded
                .reinterpretAsInts()
                .add(BIAS)
                .lanewise(VectorOperators.LSHL, MANTISSA_BITS)
                .reinterpretAsFloats();
        FloatVector e = p.mul(power).mul(times).blend(0f, v.compare(VectorOperators.LT, LOWEST));
        total = total.add(e);
        e.intoArray(x, from + row * COLUMNS);
      }
      total.intoArray(columns, sum + j);
    }
  }

  /// Multiplies the first `rows` values of column `j` by `factors[from + j]`.
  public static void scale(float[] x, int start, int rows, float[] factors, int from) {
    FloatVector low = FloatVector.fromArray(SPECIES, factors, from);
    FloatVector high = FloatVector.fromArray(SPECIES, factors, from + LANES);
    for (int i = start; i < start + rows * COLUMNS; i += COLUMNS) {
      FloatVector.fromArray(SPECIES, x, i).mul(low).intoArray(x, i);
      FloatVector.fromArray(SPECIES, x, i + LANES).mul(high).intoArray(x, i + LANES);
    }
  }

  /// Adds the dot product of the first `rows` values of column `j` of two matrices to `x[to + j]`.
  ///
  /// @param x contains both matrices, from index `xStart` and from `yStart`, and the sums
  public static void dot(float[] x, int xStart, int yStart, int rows, int to) {
    FloatVector low = FloatVector.fromArray(SPECIES, x, to);
    FloatVector high = FloatVector.fromArray(SPECIES, x, to + LANES);
    for (int i = 0; i < rows * COLUMNS; i += COLUMNS) {
      FloatVector y = FloatVector.fromArray(SPECIES, x, yStart + i);
      FloatVector z = FloatVector.fromArray(SPECIES, x, yStart + i + LANES);
      low = FloatVector.fromArray(SPECIES, x, xStart + i).fma(y, low);
      high = FloatVector.fromArray(SPECIES, x, xStart + i + LANES).fma(z, high);
    }
    low.intoArray(x, to);
    high.intoArray(x, to + LANES);
  }

  /// Replaces the gradient `g` of each weight `w` in the first `rows` rows with the gradient of its
  /// score, `w * (g - mean) * scale`, with a mean for each column.
  ///
  /// @param values contains the weights from index `weights`, the gradients from `gradients`, and
  ///     the means from `means`
  public static void gradient(
      float[] values, int weights, int gradients, int rows, int means, float scale) {
    FloatVector low = FloatVector.fromArray(SPECIES, values, means);
    FloatVector high = FloatVector.fromArray(SPECIES, values, means + LANES);
    for (int i = 0; i < rows * COLUMNS; i += COLUMNS) {
      FloatVector l = FloatVector.fromArray(SPECIES, values, gradients + i).sub(low);
      FloatVector h = FloatVector.fromArray(SPECIES, values, gradients + i + LANES).sub(high);
      FloatVector w = FloatVector.fromArray(SPECIES, values, weights + i).mul(scale);
      FloatVector v = FloatVector.fromArray(SPECIES, values, weights + i + LANES).mul(scale);
      l.mul(w).intoArray(values, gradients + i);
      h.mul(v).intoArray(values, gradients + i + LANES);
    }
  }
}
