// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Creates random generators for individual points of a run, such as an epoch or an example. The
/// numbers depend only on the seed and the point, so a resumed run draws the same numbers.
public final class RandomStream {
  private RandomStream() {}

  /// Returns the generator for a point. Generators for different points are independent.
  ///
  /// @param seed seed of the run
  /// @param place the point, such as the numbers of an epoch and an example
  public static RandomGenerator of(long seed, long... place) {
    long mixed = mixed(seed);
    for (long number : place) {
      mixed = mixed(mixed + number);
    }
    return new SplittableRandom(mixed);
  }

  /// Mixes the bits. Without mixing, `SplittableRandom`s with nearby seeds could produce shifted
  /// copies of one stream.
  private static long mixed(long number) {
    return new SplittableRandom(number).nextLong();
  }
}
