// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.kernel.random;

/// A sequence of random bits, each computed from its number: Steele, Lea and Flood, "Fast
/// Splittable Pseudorandom Number Generators" (2014). A [java.util.SplittableRandom] of the same
/// seed gives number 1, then number 2 and so on. Without a generator's state, neighbours can be
/// computed at the same time, and again instead of being kept.
public record SplitMix64(long seed) {
  /// From one state to the next.
  public static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  /// The factors that mix a state's bits.
  public static final long MIX_1 = 0xBF58476D1CE4E5B9L;

  public static final long MIX_2 = 0x94D049BB133111EBL;

  /// The bits with this number.
  public long at(long number) {
    long z = seed + number * GOLDEN_GAMMA;
    z = (z ^ (z >>> 30)) * MIX_1;
    z = (z ^ (z >>> 27)) * MIX_2;
    return z ^ (z >>> 31);
  }
}
