// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.attention;

/// The factors of dropout: 0 with the given probability, else `present`. A factor is the hash of
/// its number: unlike a generator's state, that lets neighbours be computed at the same time, and
/// lets a backward pass compute them again instead of keeping them.
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
    long threshold = (long) (probability * 0x1p32);
    int kept = Float.floatToRawIntBits(present);
    for (int i = 0; i < count; i++) {
      // All ones where the hash reaches the threshold: a branch would be guessed wrong too often.
      long mask = (threshold - 1 - (hash(first + i) >>> 32)) >> 63;
      factors[start + i] = Float.intBitsToFloat(kept & (int) mask);
    }
  }

  /// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014) over its sequence from `key`.
  private long hash(long number) {
    long z = key + number * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
