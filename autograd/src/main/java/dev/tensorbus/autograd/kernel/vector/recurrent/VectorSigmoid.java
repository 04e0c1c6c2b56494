// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.recurrent;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/// The logistic function and the hyperbolic tangent, within a few units in the last place; NaN
/// stays NaN.
///
/// Both are made of `exp(x) - 1`, which loses no digits to cancellation where x is small: x is a
/// whole multiple of ln 2, which is a power of two, and a rest of at most half of ln 2 in size,
/// whose series ends where terms no longer count.
///
/// [dev.tensorbus.autograd.kernel.vector.elementwise.VectorMath] has them for blocks of whole
/// vectors. Rows of a recurrent step lie inside of larger arrays and end anywhere; here they are
/// computed where they are, without copies.
final class VectorSigmoid {
  private static final float LOG2_E = 1.442695f;

  /// ln 2 in two parts, the first with so few digits that its multiples are exact.
  private static final float LN2_HIGH = 355f / 512;

  private static final float LN2_LOW = -2.1219444e-4f;

  /// 1.5 · 2²³: a number added to it loses its fraction, and the lowest bits are what is left.
  private static final float ROUNDING = 12582912f;

  private static final int EXPONENT_BIAS = 127;
  private static final int FRACTION_BITS = 23;

  /// Beyond, a power of two is no longer a normal number.
  private static final float SIGMOID_LIMIT = 87f;

  /// Beyond, the tangent is 1.
  private static final float TANH_LIMIT = 20f;

  private VectorSigmoid() {}

  /// `1 / (1 + exp(-x))`.
  static FloatVector sigmoid(FloatVector x) {
    FloatVector y = x.neg().max(-SIGMOID_LIMIT).min(SIGMOID_LIMIT);
    FloatVector rounded = y.fma(LOG2_E, ROUNDING);
    FloatVector power = power(rounded);
    FloatVector exp = expMinusOne(rest(y, rounded)).fma(power, power);
    return FloatVector.broadcast(SPECIES, 1f).div(exp.add(1f));
  }

  /// `(exp(2x) - 1) / (exp(2x) + 1)`.
  static FloatVector tanh(FloatVector x) {
    FloatVector y = x.add(x).max(-TANH_LIMIT).min(TANH_LIMIT);
    FloatVector rounded = y.fma(LOG2_E, ROUNDING);
    FloatVector power = power(rounded);
    FloatVector less = expMinusOne(rest(y, rounded)).fma(power, power.sub(1f));
    return less.div(less.add(2f));
  }

  private static FloatVector power(FloatVector rounded) {
    return rounded
        .reinterpretAsInts()
        .add(EXPONENT_BIAS)
        .lanewise(VectorOperators.LSHL, FRACTION_BITS)
        .reinterpretAsFloats();
  }

  private static FloatVector rest(FloatVector y, FloatVector rounded) {
    FloatVector multiple = rounded.sub(ROUNDING);
    FloatVector rest = multiple.fma(FloatVector.broadcast(SPECIES, -LN2_HIGH), y);
    return multiple.fma(FloatVector.broadcast(SPECIES, -LN2_LOW), rest);
  }

  private static FloatVector expMinusOne(FloatVector r) {
    FloatVector sum = r.fma(1f / 5040, 1f / 720);
    sum = sum.fma(r, FloatVector.broadcast(SPECIES, 1f / 120));
    sum = sum.fma(r, FloatVector.broadcast(SPECIES, 1f / 24));
    sum = sum.fma(r, FloatVector.broadcast(SPECIES, 1f / 6));
    sum = sum.fma(r, FloatVector.broadcast(SPECIES, 0.5f));
    return r.mul(r).fma(sum, r);
  }
}
