// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Creates random generators for a point of a run, such as an epoch or an example. The numbers
/// depend only on that point, so a run that is resumed there draws the same numbers.
public final class RandomStream {
  private RandomStream() {}

  /// Returns the generator of a point. Generators of different points are independent.
  ///
  /// @param seed seed of the run
  /// @param place the point, such as epoch and example
  public static RandomGenerator of(long seed, long... place) {
    long mixed = mixed(seed);
    for (long number : place) {
      mixed = mixed(mixed + number);
    }
    return new SplittableRandom(mixed);
  }

  /// Mixes the bits. Without mixing, `SplittableRandom`s with nearby seeds could produce shifted
  /// copies of the same stream.
  private static long mixed(long number) {
    return new SplittableRandom(number).nextLong();
  }
}
