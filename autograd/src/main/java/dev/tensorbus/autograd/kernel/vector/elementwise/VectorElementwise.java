// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.GATHERS;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import dev.tensorbus.autograd.kernel.Bfloat16;
import dev.tensorbus.autograd.kernel.Order;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/// Elementwise kernels and sums, mainly those that C2 does not vectorize: kernels with a condition,
/// whose branch would often be mispredicted, and sums, whose order of additions C2 must preserve.
public final class VectorElementwise {
  /// Vectors of `short`, half as wide as the float vectors and with the same number of lanes.
  private static final VectorSpecies<Short> HALF =
      VectorSpecies.of(short.class, VectorShape.forBitSize(SPECIES.vectorBitSize() / 2));

  private VectorElementwise() {}

  /// See [dev.tensorbus.autograd.kernel.Kernels#roundToBfloat16].
  public static void roundToBfloat16(float[] x, short[] y, int first, int end) {
    int whole = end - (end - first) % LANES;
    for (int i = first; i < whole; i += LANES) {
      FloatVector values = FloatVector.fromArray(SPECIES, x, i);
      IntVector bits = values.reinterpretAsInts();
      IntVector rounded =
          bits.add(bits.lanewise(VectorOperators.LSHR, 16).and(1))
              .add(0x7fff)
              .lanewise(VectorOperators.LSHR, 16)
              .blend(Bfloat16.NAN, values.test(VectorOperators.IS_NAN).cast(bits.species()));
      ((ShortVector) rounded.convertShape(VectorOperators.I2S, HALF, 0)).intoArray(y, i);
    }
    for (int i = whole; i < end; i++) {
      y[i] = Bfloat16.of(x[i]);
    }
  }

  /// Computes the gradient of [dev.tensorbus.autograd.kernel.UnaryFunctions#RELU].
  public static void reluGradient(
      float[] output, float[] gradient, float[] xGradient, int first, int end) {
    for (int i = first; i < end; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, end);
      VectorMask<Float> positive =
          FloatVector.fromArray(SPECIES, output, i, present).compare(VectorOperators.LE, 0f).not();
      FloatVector.fromArray(SPECIES, gradient, i, positive).intoArray(xGradient, i, present);
    }
  }

  /// Computes the gradient of [dev.tensorbus.autograd.kernel.UnaryFunctions#LOG].
  public static void logGradient(
      float[] x, float[] gradient, float[] xGradient, int first, int end) {
    for (int i = first; i < end; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, end);
      FloatVector divisor = FloatVector.fromArray(SPECIES, x, i, present);
      FloatVector.fromArray(SPECIES, gradient, i, present)
          .div(divisor)
          .blend(0f, divisor.abs().compare(VectorOperators.EQ, Float.POSITIVE_INFINITY))
          .intoArray(xGradient, i, present);
    }
  }

  /// Returns the sum of `x[first]` to `x[end - 1]`. It uses four accumulators, since each addition
  /// has a latency of four cycles.
  ///
  /// The lanes are added one after another, since `reduceLanes` does not define an order: C2 and
  /// the interpreter use different orders, so a sum would depend on when its code was compiled.
  ///
  /// @param lanes scratch space for one vector
  public static double sum(float[] x, int first, int end, float[] lanes) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int i = first;
    for (; i <= end - 4 * LANES; i += 4 * LANES) {
      s0 = s0.add(FloatVector.fromArray(SPECIES, x, i));
      s1 = s1.add(FloatVector.fromArray(SPECIES, x, i + LANES));
      s2 = s2.add(FloatVector.fromArray(SPECIES, x, i + 2 * LANES));
      s3 = s3.add(FloatVector.fromArray(SPECIES, x, i + 3 * LANES));
    }
    for (; i < end; i += LANES) {
      s0 = s0.add(FloatVector.fromArray(SPECIES, x, i, SPECIES.indexInRange(i, end)));
    }
    s0.add(s1).add(s2.add(s3)).intoArray(lanes, 0);
    double sum = 0;
    for (float lane : lanes) {
      sum += lane;
    }
    return sum;
  }

  /// Returns the sum of `x[i] * y[i]` for `i` from `first` (inclusive) to `end` (exclusive). The
  /// lanes are added as in [#sum].
  static double dot(float[] x, float[] y, int first, int end, float[] lanes) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    int i = first;
    for (; i <= end - 2 * LANES; i += 2 * LANES) {
      s0 = FloatVector.fromArray(SPECIES, x, i).fma(FloatVector.fromArray(SPECIES, y, i), s0);
      int j = i + LANES;
      s1 = FloatVector.fromArray(SPECIES, x, j).fma(FloatVector.fromArray(SPECIES, y, j), s1);
    }
    for (; i < end; i += LANES) {
      VectorMask<Float> present = SPECIES.indexInRange(i, end);
      FloatVector factor = FloatVector.fromArray(SPECIES, x, i, present);
      s0 = factor.fma(FloatVector.fromArray(SPECIES, y, i, present), s0);
    }
    s0.add(s1).intoArray(lanes, 0);
    double sum = 0;
    for (float lane : lanes) {
      sum += lane;
    }
    return sum;
  }

  /// Computes `y[i] = x[i] * factor + term` for `size` values from index `start`, in a loop that C2
  /// vectorizes.
  public static void affine(float[] x, int start, int size, float factor, float term, float[] y) {
    for (int i = start; i < start + size; i++) {
      y[i] = x[i] * factor + term;
    }
  }

  /// Computes `y[start + i] = x[start + i] * factors[i] + terms[i]`, in a loop that C2 vectorizes.
  public static void affine(float[] x, int start, float[] factors, float[] terms, float[] y) {
    for (int i = 0; i < factors.length; i++) {
      y[start + i] = x[start + i] * factors[i] + terms[i];
    }
  }

  /// See [dev.tensorbus.autograd.kernel.Kernels#takeAt].
  public static void takeAt(float[] x, int from, int[] positions, int n, float[] y, int to) {
    int whole = GATHERS ? n - n % LANES : 0;
    for (int i = 0; i < whole; i += LANES) {
      FloatVector.fromArray(SPECIES, x, from, positions, i).intoArray(y, to + i);
    }
    for (int i = whole; i < n; i++) {
      y[to + i] = x[from + positions[i]];
    }
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#choose].
  public static void choose(boolean[] mask, float[] a, float[] b, float[] y, int first, int end) {
    int whole = end - (end - first) % LANES;
    for (int i = first; i < whole; i += LANES) {
      FloatVector.fromArray(SPECIES, b, i)
          .blend(FloatVector.fromArray(SPECIES, a, i), VectorMask.fromArray(SPECIES, mask, i))
          .intoArray(y, i);
    }
    for (int i = whole; i < end; i++) {
      y[i] = mask[i] ? a[i] : b[i];
    }
  }

  /// See [dev.tensorbus.autograd.kernel.Arithmetic#compare]. Each comparison has a separate loop
  /// (three suffice for the six orders), since C2 generates a vector instruction only if the
  /// operator is a constant.
  public static void compare(
      Order order, float[] a, float[] b, boolean[] mask, int first, int end) {
    int whole = end - (end - first) % LANES;
    switch (order) {
      case LT -> less(a, b, mask, first, whole);
      case GT -> less(b, a, mask, first, whole);
      case LE -> lessOrEqual(a, b, mask, first, whole);
      case GE -> lessOrEqual(b, a, mask, first, whole);
      case EQ -> equal(a, b, false, mask, first, whole);
      case NE -> equal(a, b, true, mask, first, whole);
    }
    for (int i = whole; i < end; i++) {
      mask[i] = order.holds(a[i], b[i]);
    }
  }

  private static void less(float[] a, float[] b, boolean[] mask, int first, int end) {
    for (int i = first; i < end; i += LANES) {
      FloatVector.fromArray(SPECIES, a, i)
          .compare(VectorOperators.LT, FloatVector.fromArray(SPECIES, b, i))
          .intoArray(mask, i);
    }
  }

  private static void lessOrEqual(float[] a, float[] b, boolean[] mask, int first, int end) {
    for (int i = first; i < end; i += LANES) {
      FloatVector.fromArray(SPECIES, a, i)
          .compare(VectorOperators.LE, FloatVector.fromArray(SPECIES, b, i))
          .intoArray(mask, i);
    }
  }

  private static void equal(
      float[] a, float[] b, boolean isNot, boolean[] mask, int first, int end) {
    VectorMask<Float> opposite = SPECIES.maskAll(isNot);
    for (int i = first; i < end; i += LANES) {
      FloatVector.fromArray(SPECIES, a, i)
          .compare(VectorOperators.EQ, FloatVector.fromArray(SPECIES, b, i))
          .xor(opposite)
          .intoArray(mask, i);
    }
  }

  /// Returns the maximum of `x[first]` to `x[end - 1]`: NaN if the range contains a NaN, and minus
  /// infinity if it is empty.
  ///
  /// Comparisons need half the instructions of `max`, but ignore NaN, so NaNs are detected by a
  /// sum.
  ///
  /// @param lanes scratch space for one vector
  static float max(float[] x, int first, int end, float[] lanes) {
    FloatVector m0 = FloatVector.broadcast(SPECIES, Float.NEGATIVE_INFINITY);
    FloatVector m1 = m0;
    FloatVector sum = FloatVector.zero(SPECIES);
    int i = first;
    for (; i <= end - 2 * LANES; i += 2 * LANES) {
      FloatVector x0 = FloatVector.fromArray(SPECIES, x, i);
      FloatVector x1 = FloatVector.fromArray(SPECIES, x, i + LANES);
      m0 = m0.blend(x0, x0.compare(VectorOperators.GT, m0));
      m1 = m1.blend(x1, x1.compare(VectorOperators.GT, m1));
      sum = sum.add(x0.add(x1));
    }
    m0 = m0.blend(m1, m1.compare(VectorOperators.GT, m0));
    m0.blend(sum, sum.test(VectorOperators.IS_NAN)).intoArray(lanes, 0);
    float max = Float.NEGATIVE_INFINITY;
    for (float lane : lanes) {
      max = Math.max(max, lane);
    }
    if (Float.isNaN(max)) { // a value is NaN, or opposite infinities were added
      max = Float.NEGATIVE_INFINITY;
      i = first;
    }
    for (; i < end; i++) {
      max = Math.max(max, x[i]);
    }
    return max;
  }
}
