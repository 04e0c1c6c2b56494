// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.vector.convolution;

import static dev.tensorbus.autograd.kernel.vector.product.Tile.LANES;
import static dev.tensorbus.autograd.kernel.vector.product.Tile.SPECIES;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;

/// Splits rows into the values at even and at odd indices, for a stride of 2, and joins them again.
final class EvenOdd {
  private static final VectorShuffle<Float> EVEN = SPECIES.shuffleFromOp(lane -> 2 * lane % LANES);
  private static final VectorShuffle<Float> ODD =
      SPECIES.shuffleFromOp(lane -> (2 * lane + 1) % LANES);
  private static final VectorMask<Float> UPPER_HALF =
      VectorMask.fromLong(SPECIES, -1L << (LANES / 2));

  /// Duplicates each value of the lower half of a vector.
  static final VectorShuffle<Float> LOWER = SPECIES.shuffleFromOp(lane -> lane / 2);

  /// Duplicates each value of the upper half of a vector.
  static final VectorShuffle<Float> UPPER = SPECIES.shuffleFromOp(lane -> (LANES + lane) / 2);
  static final VectorMask<Float> ODD_LANES = VectorMask.fromLong(SPECIES, 0xAAAA_AAAAL);

  private EvenOdd() {}

  /// Distributes `length` values, starting at `x[from]`, alternately to the ranges that start at
  /// `target[even]` and `target[odd]`.
  static void part(float[] x, int from, int length, float[] target, int even, int odd) {
    for (int i = 0; i < length; i += 2 * LANES) {
      FloatVector a = FloatVector.fromArray(SPECIES, x, from + i, SPECIES.indexInRange(i, length));
      VectorMask<Float> second = SPECIES.indexInRange(i + LANES, length);
      FloatVector b = FloatVector.fromArray(SPECIES, x, from + i + LANES, second);
      a.rearrange(EVEN)
          .blend(b.rearrange(EVEN), UPPER_HALF)
          .intoArray(target, even + i / 2, SPECIES.indexInRange(i / 2, (length + 1) / 2));
      a.rearrange(ODD)
          .blend(b.rearrange(ODD), UPPER_HALF)
          .intoArray(target, odd + i / 2, SPECIES.indexInRange(i / 2, length / 2));
    }
  }

  /// Interleaves the values that start at `parts[even]` and `parts[odd]`, adds `bias` to each, and
  /// writes `length` values to `x`, starting at `x[to]`.
  static void join(float[] parts, int even, int odd, float bias, float[] x, int to, int length) {
    for (int i = 0; i < length; i += 2 * LANES) {
      VectorMask<Float> evens = SPECIES.indexInRange(i / 2, (length + 1) / 2);
      VectorMask<Float> odds = SPECIES.indexInRange(i / 2, length / 2);
      FloatVector a = FloatVector.fromArray(SPECIES, parts, even + i / 2, evens).add(bias);
      FloatVector b = FloatVector.fromArray(SPECIES, parts, odd + i / 2, odds).add(bias);
      a.rearrange(LOWER)
          .blend(b.rearrange(LOWER), ODD_LANES)
          .intoArray(x, to + i, SPECIES.indexInRange(i, length));
      a.rearrange(UPPER)
          .blend(b.rearrange(UPPER), ODD_LANES)
          .intoArray(x, to + i + LANES, SPECIES.indexInRange(i + LANES, length));
    }
  }
}
