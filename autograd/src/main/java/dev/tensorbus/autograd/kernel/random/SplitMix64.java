// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.random;

/// A sequence of random 64-bit numbers, each computed from its index: Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators" (2014). A [java.util.SplittableRandom] with the same
/// seed returns the numbers at indices 1, 2, and so on. Since there is no state, the numbers can be
/// computed in parallel, and recomputed instead of saved.
public record SplitMix64(long seed) {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  /// Returns the number at an index.
  public long at(long number) {
    return mixed(seed + number * GOLDEN_GAMMA);
  }

  /// Writes `n` random numbers to `bits`, starting with the number at index `first`. C2 vectorizes
  /// the mixing only in a loop of its own.
  public void fill(long[] bits, int n, long first) {
    long start = seed + first * GOLDEN_GAMMA;
    for (int i = 0; i < n; i++) {
      bits[i] = start + i * GOLDEN_GAMMA;
    }
    for (int i = 0; i < n; i++) {
      bits[i] = mixed(bits[i]);
    }
  }

  private static long mixed(long state) {
    long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
