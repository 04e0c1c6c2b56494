// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.update;

import dev.tensorbus.autograd.HeapStorage;

/// A block of one array, float32 or float64, on which a rule computes in place. A rule's blocks fit
/// into the L1 cache together, so that a rule reads and writes memory only once.
///
/// Methods have torch's names and rounding: `add`, and `addcmul` with one rounding for product and
/// sum, as in torch's fused kernels. Factors are rounded to the block's type first. Each method
/// returns this block.
public sealed interface Block permits FloatBlock, DoubleBlock {
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

  /// `x` clamped to the bounds; NaN stays.
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

  /// One of three numbers by the sign of `x`; NaN stays.
  Block bySign(double negative, double zero, double positive);

  /// `x`, but 0 where `other` is below 0.
  Block zeroWhereNegative(Block other);

  /// Copies numbers of a storage into this block at `at`, and ends the block after them. The
  /// storage has the block's type.
  void load(HeapStorage values, int from, int at, int length);

  /// Copies this block's numbers from `at` into a storage of its type.
  void store(HeapStorage values, int from, int at, int length);
}
