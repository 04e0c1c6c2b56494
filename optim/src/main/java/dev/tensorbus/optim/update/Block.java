// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

/// Some numbers of one array, float32 or float64, on which a rule computes in place. Blocks are
/// small enough to stay in the core's nearest cache from the first line of a rule to the last, so
/// that a rule reads and writes memory once.
///
/// Methods have the names of torch's and round as those do: `add`, `addcmul` with one rounding
/// for product and sum, as torch's kernels fuse them. Factors are rounded to the block's type
/// first. Each method returns its block.
public sealed interface Block permits FloatBlock, DoubleBlock {
  /// Copies another block's numbers.
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

  /// `x` within the bounds; NaN stays.
  Block clamp(double min, double max);

  /// `x + factor * other`, rounded once.
  Block addScaled(Block other, double factor);

  /// `x - other`.
  Block sub(Block other);

  /// `x * other`.
  Block mulBy(Block other);

  /// `x / other`.
  Block divBy(Block other);

  /// The greater of `x` and `other`; NaN if one is.
  Block maximum(Block other);

  /// `x + (factor * a) * b`; the last product and the sum are rounded once.
  Block addcmul(Block a, Block b, double factor);

  /// `x + (factor * a) / b`.
  Block addcdiv(Block a, Block b, double factor);

  /// One of three numbers by the sign of `x`; NaN stays.
  Block bySign(double negative, double zero, double positive);

  /// `x`, but 0 where `other` is below 0.
  Block zeroWhereNegative(Block other);

  /// Copies numbers of an array of the block's type into this block, to `at`, where it ends with
  /// them.
  void load(Object array, int from, int at, int length);

  /// Copies this block's numbers from `at` on into an array of its type.
  void store(Object array, int from, int at, int length);
}
