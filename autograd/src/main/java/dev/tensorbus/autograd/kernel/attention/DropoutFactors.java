// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.attention;

import dev.tensorbus.autograd.kernel.random.SplitMix64;

/// The factors of dropout: 0 with the given probability, else `present`. A factor depends only on
/// the key and its index, so the backward pass recomputes the factors instead of saving them.
///
/// @param present the factor of values that are kept
/// @param key the random seed that determines all factors
public record DropoutFactors(float probability, float present, long key) {
  /// Returns the factor at an index.
  public float at(long number) {
    float[] factor = new float[1];
    fill(factor, 0, 1, number);
    return factor[0];
  }

  /// Writes `count` factors with consecutive indices to `factors`, starting at `factors[start]`.
  ///
  /// @param first the index of the first factor
  public void fill(float[] factors, int start, int count, long first) {
    SplitMix64 random = new SplitMix64(key);
    long threshold = (long) (probability * 0x1p32);
    int kept = Float.floatToRawIntBits(present);
    for (int i = 0; i < count; i++) {
      // All ones if the hash reaches the threshold, else 0: a branch would be mispredicted too
      // often.
      long mask = (threshold - 1 - (random.at(first + i) >>> 32)) >> 63;
      factors[start + i] = Float.intBitsToFloat(kept & (int) mask);
    }
  }
}
