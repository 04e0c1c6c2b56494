// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.elementwise;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/// Functions that replace the first `n` values of an array. Results are accurate to a few units in
/// the last place. For NaN and infinite arguments, they equal the results of [Math]. The functions
/// operate on whole vectors, so an array must have room for `n` values rounded up to whole vectors.
///
/// Arguments are reduced to a short interval, on which a polynomial approximates the function. The
/// polynomials were fitted to minimize the maximum relative error (Lawson's iteration over
/// Chebyshev nodes).
///
/// Most functions are a single loop. Others are composed of several passes over values that stay in
/// the first-level cache. No method here takes or returns a vector: C2 always inlines methods of
/// the Vector API, but inlines our methods only while the compilation is smaller than
/// NodeCountInliningCutoff. A vector that is passed to or returned from a method that is not
/// inlined is boxed, which is ten times slower.
public final class VectorMath {
  private static final FloatVector ONE = FloatVector.broadcast(SPECIES, 1f);
  static final FloatVector LOG2_E = FloatVector.broadcast(SPECIES, 1.442695f);

  /// The logarithm of 2, rounded to so few bits that its products with the exponents are exact.
  private static final float LN2_HIGH = 0.6933594f;

  /// The logarithm of 2 minus [#LN2_HIGH].
  private static final float LN2_LOW = -2.1219444e-4f;
  static final FloatVector MINUS_LN2_HIGH = FloatVector.broadcast(SPECIES, -LN2_HIGH);
  static final FloatVector MINUS_LN2_LOW = FloatVector.broadcast(SPECIES, -LN2_LOW);

  /// Adding and then subtracting this number rounds to the nearest integer. After the addition, the
  /// integer is the difference between the bits of the sum and the bits of this number.
  static final FloatVector ROUNDING = FloatVector.broadcast(SPECIES, 0x1.8p23f);

  private static final int ROUNDING_BITS = 0x4B400000;

  static final int MANTISSA_BITS = 23;
  static final int BIAS = 127;

  /// The bits of `sqrt(0.5)`.
  private static final int ROOT_OF_HALF = 0x3F3504F3;

  /// The factor that scales denormal numbers to full precision.
  private static final float ENLARGED = 0x1p23f;

  /// The numerator and denominator of [#sigmoid] are multiplied by `2^-SIGMOID_BITS`.
  private static final int SIGMOID_BITS = 24;

  private static final FloatVector SIGMOID_SCALE = FloatVector.broadcast(SPECIES, 0x1p-24f);

  // Coefficients of the polynomials, starting with the constant term.

  static final FloatVector EXP_0 = FloatVector.broadcast(SPECIES, 0.5f);
  static final FloatVector EXP_1 = FloatVector.broadcast(SPECIES, 0.16666512f);
  static final FloatVector EXP_2 = FloatVector.broadcast(SPECIES, 0.041666187f);
  static final FloatVector EXP_3 = FloatVector.broadcast(SPECIES, 0.008369599f);
  static final FloatVector EXP_4 = FloatVector.broadcast(SPECIES, 0.0013951717f);

  private static final FloatVector LOG_0 = FloatVector.broadcast(SPECIES, 0.3333331f);
  private static final FloatVector LOG_1 = FloatVector.broadcast(SPECIES, -0.24999987f);
  private static final FloatVector LOG_2 = FloatVector.broadcast(SPECIES, 0.20002231f);
  private static final FloatVector LOG_3 = FloatVector.broadcast(SPECIES, -0.16669261f);
  private static final FloatVector LOG_4 = FloatVector.broadcast(SPECIES, 0.14218563f);
  private static final FloatVector LOG_5 = FloatVector.broadcast(SPECIES, -0.12384094f);
  private static final FloatVector LOG_6 = FloatVector.broadcast(SPECIES, 0.11873475f);
  private static final FloatVector LOG_7 = FloatVector.broadcast(SPECIES, -0.1179162f);
  private static final FloatVector LOG_8 = FloatVector.broadcast(SPECIES, 0.069164164f);

  private static final FloatVector TAIL_0 = FloatVector.broadcast(SPECIES, 2.21738e-5f);
  private static final FloatVector TAIL_1 = FloatVector.broadcast(SPECIES, 0.22516778f);
  private static final FloatVector TAIL_2 = FloatVector.broadcast(SPECIES, 0.2306224f);
  private static final FloatVector TAIL_3 = FloatVector.broadcast(SPECIES, 0.18095057f);
  private static final FloatVector TAIL_4 = FloatVector.broadcast(SPECIES, 0.25808868f);
  private static final FloatVector TAIL_5 = FloatVector.broadcast(SPECIES, -0.048326414f);
  private static final FloatVector TAIL_6 = FloatVector.broadcast(SPECIES, 0.25077462f);
  private static final FloatVector TAIL_7 = FloatVector.broadcast(SPECIES, -0.044445794f);
  private static final FloatVector TAIL_8 = FloatVector.broadcast(SPECIES, -0.08312598f);
  private static final FloatVector TAIL_9 = FloatVector.broadcast(SPECIES, 0.030272007f);

  private static final FloatVector MINUS_HALF = FloatVector.broadcast(SPECIES, -0.5f);

  /// Beyond this absolute value, the bell is set to 0, because `exp(-x * x / 2)` would be almost
  /// denormal.
  private static final float FLAT = 13.2f;

  private static final FloatVector TAIL_SCALE = FloatVector.broadcast(SPECIES, 0.2828427f);

  private VectorMath() {}

  /// Computes the exponential.
  public static void exp(float[] v, int n) {
    exp(v, 0, 0f, v, 0, n);
  }

  /// Computes `values[to + i] = exp(v[from + i] - shift)`. The exponential of `x` is `2^k * e^r`,
  /// where `k` is `x / log 2` rounded to an integer. Instead of `2^k`, two factors of about
  /// `2^(k/2)` are used, so that denormal results are correct, too.
  static void exp(float[] v, int from, float shift, float[] values, int to, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector x = FloatVector.fromArray(SPECIES, v, from + i).sub(shift);
      x = x.blend(89f, x.compare(VectorOperators.GT, 89f));
      x = x.blend(-104f, x.compare(VectorOperators.LT, -104f));
      FloatVector rounded = x.fma(LOG2_E, ROUNDING);
      FloatVector k = rounded.sub(ROUNDING);
      FloatVector r = k.fma(MINUS_LN2_LOW, k.fma(MINUS_LN2_HIGH, x));
      FloatVector p = EXP_4.fma(r, EXP_3);
      p = p.fma(r, EXP_2);
      p = p.fma(r, EXP_1);
      p = p.fma(r, EXP_0);
      p = p.fma(r.mul(r), r).add(1f);
      IntVector power = rounded.reinterpretAsInts().sub(ROUNDING_BITS);
      IntVector half = power.lanewise(VectorOperators.ASHR, 1);
      IntVector rest = power.sub(half).add(BIAS).lanewise(VectorOperators.LSHL, MANTISSA_BITS);
      half = half.add(BIAS).lanewise(VectorOperators.LSHL, MANTISSA_BITS);
      p.mul(half.reinterpretAsFloats()).mul(rest.reinterpretAsFloats()).intoArray(values, to + i);
    }
  }

  /// Computes the logarithm as `k * log 2 + log m`, where `x` is `2^k * m` and `m` is between
  /// `sqrt(0.5)` and `sqrt(2)`.
  static void log(float[] v, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector x = FloatVector.fromArray(SPECIES, v, i);
      VectorMask<Float> tiny = x.compare(VectorOperators.LT, Float.MIN_NORMAL);
      IntVector bits = x.mul(ENLARGED, tiny).reinterpretAsInts();
      IntVector power = bits.sub(ROOT_OF_HALF).lanewise(VectorOperators.ASHR, MANTISSA_BITS);
      FloatVector m =
          bits.sub(power.lanewise(VectorOperators.LSHL, MANTISSA_BITS)).reinterpretAsFloats();
      FloatVector k = (FloatVector) power.convertShape(VectorOperators.I2F, SPECIES, 0);
      k = k.sub(MANTISSA_BITS, tiny);
      FloatVector f = m.sub(1f);
      FloatVector p = LOG_8.fma(f, LOG_7);
      p = p.fma(f, LOG_6);
      p = p.fma(f, LOG_5);
      p = p.fma(f, LOG_4);
      p = p.fma(f, LOG_3);
      p = p.fma(f, LOG_2);
      p = p.fma(f, LOG_1);
      p = p.fma(f, LOG_0);
      FloatVector square = f.mul(f);
      FloatVector low = p.mul(f).mul(square).add(k.mul(LN2_LOW)).sub(square.mul(0.5f));
      low.add(f)
          .add(k.mul(LN2_HIGH))
          .blend(x, x.compare(VectorOperators.LT, Float.POSITIVE_INFINITY).not())
          .blend(Float.NEGATIVE_INFINITY, x.compare(VectorOperators.EQ, 0f))
          .blend(Float.NaN, x.compare(VectorOperators.LT, 0f))
          .intoArray(v, i);
    }
  }

  /// Computes `1 / (1 + exp(-x))`. Numerator and denominator are multiplied by 2^-24, so that the
  /// exponential does not overflow for any `x` whose result is above 0.
  ///
  /// @param from the index of the first of the `n` values
  public static void sigmoid(float[] v, int from, int n) {
    for (int i = from; i < from + n; i += LANES) {
      FloatVector x = FloatVector.fromArray(SPECIES, v, i).neg();
      x = x.blend(105f, x.compare(VectorOperators.GT, 105f));
      x = x.blend(-70f, x.compare(VectorOperators.LT, -70f));
      FloatVector rounded = x.fma(LOG2_E, ROUNDING);
      FloatVector k = rounded.sub(ROUNDING);
      FloatVector r = k.fma(MINUS_LN2_LOW, k.fma(MINUS_LN2_HIGH, x));
      FloatVector p = EXP_4.fma(r, EXP_3);
      p = p.fma(r, EXP_2);
      p = p.fma(r, EXP_1);
      p = p.fma(r, EXP_0);
      p = p.fma(r.mul(r), r).add(1f);
      FloatVector power =
          rounded
              .reinterpretAsInts()
              .add(BIAS - SIGMOID_BITS)
              .lanewise(VectorOperators.LSHL, MANTISSA_BITS)
              .reinterpretAsFloats();
      SIGMOID_SCALE.div(p.fma(power, SIGMOID_SCALE)).intoArray(v, i);
    }
  }

  /// Computes the hyperbolic tangent as `d / (d + 2)` for `d = exp(2 x) - 1`. For precision near 0,
  /// `d` is computed as `2^k * (e^r - 1) + (2^k - 1)`. The result is 1 for `x` above 10, and -1
  /// below -10.
  ///
  /// @param from the index of the first of the `n` values
  public static void tanh(float[] v, int from, int n) {
    for (int i = from; i < from + n; i += LANES) {
      FloatVector x = FloatVector.fromArray(SPECIES, v, i);
      x = x.add(x);
      x = x.blend(20f, x.compare(VectorOperators.GT, 20f));
      x = x.blend(-20f, x.compare(VectorOperators.LT, -20f));
      FloatVector rounded = x.fma(LOG2_E, ROUNDING);
      FloatVector k = rounded.sub(ROUNDING);
      FloatVector r = k.fma(MINUS_LN2_LOW, k.fma(MINUS_LN2_HIGH, x));
      FloatVector p = EXP_4.fma(r, EXP_3);
      p = p.fma(r, EXP_2);
      p = p.fma(r, EXP_1);
      p = p.fma(r, EXP_0);
      p = p.fma(r.mul(r), r);
      FloatVector power =
          rounded
              .reinterpretAsInts()
              .add(BIAS)
              .lanewise(VectorOperators.LSHL, MANTISSA_BITS)
              .reinterpretAsFloats();
      FloatVector e = p.fma(power, power.sub(1f));
      e.div(e.add(2f)).intoArray(v, i);
    }
  }

  /// Computes `log(1 + exp(x))`; for `x` above 20, the result is `x` itself. With `e = exp(x)`, the
  /// sum `1 + e` is rounded; the rounding error, divided by the sum, is added to the logarithm as a
  /// correction.
  ///
  /// @param e scratch space, as long as `v`
  /// @param w scratch space, as long as `v`
  static void softplus(float[] v, float[] e, float[] w, int n) {
    System.arraycopy(v, 0, e, 0, n);
    exp(e, n);
    for (int i = 0; i < n; i++) {
      w[i] = 1f + e[i];
    }
    log(w, n);
    for (int i = 0; i < n; i += LANES) {
      FloatVector x = FloatVector.fromArray(SPECIES, v, i);
      FloatVector part = FloatVector.fromArray(SPECIES, e, i);
      FloatVector whole = part.add(1f);
      FloatVector lost = part.sub(whole.sub(1f)).div(whole);
      FloatVector.fromArray(SPECIES, w, i)
          .add(lost)
          .blend(x, x.compare(VectorOperators.GT, 20f))
          .intoArray(v, i);
    }
  }

  /// Computes the bell `exp(-x * x / 2)`, and the probability that a standard normal random
  /// variable is below `x`. For negative `x`, the probability is the bell times half the scaled
  /// complementary error function, which is approximated by a polynomial in
  /// `1 / (1 + 0.4 |x| / sqrt(2))`.
  ///
  /// The exponential is computed as in [#exp]. The rounding of `x * x` would change the bell by up
  /// to 2^-18 of its value, so the rounding error is added to the exponent. A bell that would be
  /// denormal is 0.
  ///
  /// @param bells receives the bells
  /// @param below receives the probabilities
  static void normal(float[] x, float[] bells, float[] below, int n) {
    for (int i = 0; i < n; i += LANES) {
      FloatVector v = FloatVector.fromArray(SPECIES, x, i);
      FloatVector size = v.abs();
      size = size.blend(FLAT, size.compare(VectorOperators.GT, FLAT));
      FloatVector square = size.mul(size);
      FloatVector lost = size.fma(size, square.neg());
      FloatVector exponent = square.mul(-0.5f);
      FloatVector rounded = exponent.fma(LOG2_E, ROUNDING);
      FloatVector k = rounded.sub(ROUNDING);
      FloatVector r = k.fma(MINUS_LN2_LOW, k.fma(MINUS_LN2_HIGH, exponent));
      r = lost.fma(MINUS_HALF, r);
      FloatVector e = EXP_4.fma(r, EXP_3);
      e = e.fma(r, EXP_2);
      e = e.fma(r, EXP_1);
      e = e.fma(r, EXP_0);
      e = e.fma(r.mul(r), r).add(1f);
      FloatVector power =
          rounded
              .reinterpretAsInts()
              .add(BIAS)
              .lanewise(VectorOperators.LSHL, MANTISSA_BITS)
              .reinterpretAsFloats();
      FloatVector bell = e.mul(power).blend(0f, size.compare(VectorOperators.EQ, FLAT));
      bell.intoArray(bells, i);
      FloatVector w = ONE.div(size.fma(TAIL_SCALE, ONE));
      FloatVector p = TAIL_9.fma(w, TAIL_8);
      p = p.fma(w, TAIL_7);
      p = p.fma(w, TAIL_6);
      p = p.fma(w, TAIL_5);
      p = p.fma(w, TAIL_4);
      p = p.fma(w, TAIL_3);
      p = p.fma(w, TAIL_2);
      p = p.fma(w, TAIL_1);
      p = p.fma(w, TAIL_0);
      FloatVector tail = p.mul(bell).mul(0.5f);
      tail.blend(ONE.sub(tail), v.compare(VectorOperators.GT, 0f)).intoArray(below, i);
    }
  }
}
