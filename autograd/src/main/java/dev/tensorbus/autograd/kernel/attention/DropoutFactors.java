// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.attention;

import dev.tensorbus.autograd.kernel.random.SplitMix64;

/// The factors of dropout: 0 with the given probability, else `present`. A factor follows from its
/// number, so a backward pass computes them again instead of keeping them.
///
/// @param present the factor of values that stay
/// @param key the random number from which the choice follows
public record DropoutFactors(float probability, float present, long key) {
  /// The factor with this number.
  public float at(long number) {
    float[] factor = new float[1];
    fill(factor, 0, 1, number);
    return factor[0];
  }

  /// Puts the factors of numbers that follow one another to `factors[start]` and behind it.
  ///
  /// @param first the number of the first one
  public void fill(float[] factors, int start, int count, long first) {
    SplitMix64 random = new SplitMix64(key);
    long threshold = (long) (probability * 0x1p32);
    int kept = Float.floatToRawIntBits(present);
    for (int i = 0; i < count; i++) {
      // All ones where the hash reaches the threshold: a branch would be guessed wrong too often.
      long mask = (threshold - 1 - (random.at(first + i) >>> 32)) >> 63;
      factors[start + i] = Float.intBitsToFloat(kept & (int) mask);
    }
  }
}
