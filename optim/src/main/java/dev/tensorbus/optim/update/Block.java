// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

/// A block of values, float32 or float64. An [UpdateRule] computes on blocks in place.
///
/// Each method replaces every value `x` of this block with the result described, and returns this
/// block. Names and rounding are torch's: for example, `addcmul` rounds the product and the sum
/// once, like torch's fused kernels. Scalar arguments are rounded to the block's type first.
public sealed interface Block permits ArrayBlock, TensorBlock, NumberBlock {
  /// Copies another block.
  Block set(Block other);

  /// `-x`.
  Block neg();

  /// `|x|`.
  Block abs();

  /// `√x`.
  Block sqrt();

  /// `x + number`.
  Block add(double number);

  /// `x * factor`.
  Block mul(double factor);

  /// `x / divisor`.
  Block div(double divisor);

  /// `x` clamped to `[min, max]`; NaN remains NaN.
  Block clamp(double min, double max);

  /// `x + factor * other`, rounded once.
  Block addScaled(Block other, double factor);

  /// `x - other`.
  Block sub(Block other);

  /// `x * other`.
  Block mulBy(Block other);

  /// `x / other`.
  Block divBy(Block other);

  /// The maximum of `x` and `other`; NaN if either is NaN.
  Block maximum(Block other);

  /// `x + (factor * a) * b`; the last product and the sum are rounded once.
  Block addcmul(Block a, Block b, double factor);

  /// `x + (factor * a) / b`.
  Block addcdiv(Block a, Block b, double factor);

  /// One of the three arguments, depending on the sign of `x`; NaN remains NaN.
  Block bySign(double negative, double zero, double positive);

  /// `x`, or 0 if the value of `other` is below 0.
  Block zeroWhereNegative(Block other);
}
