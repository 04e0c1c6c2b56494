// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.models.data;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Makes the random numbers of a place in a run, such as an epoch or an example. They depend on the
/// place alone, so a run that is resumed there draws the same ones.
public final class RandomStream {
  private RandomStream() {}

  /// A generator for a place. Generators of other places are independent of it.
  ///
  /// @param seed of the run
  /// @param place such as the number of an epoch, and of an example in it
  public static RandomGenerator of(long seed, long... place) {
    long mixed = mixed(seed);
    for (long number : place) {
      mixed = mixed(mixed + number);
    }
    return new SplittableRandom(mixed);
  }

  /// Spreads near numbers over all others (Stafford's variant 13 of MurmurHash3's finalizer). The
  /// streams of near seeds of `SplittableRandom` could be shifted copies of each other.
  private static long mixed(long number) {
    long mixed = number + 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
