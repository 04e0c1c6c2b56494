// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Gives each forward pass a random number from a stream of its own. Calls may come from many
/// threads; one after another, they get the same numbers for the same seed.
final class RandomStreams implements RandomGenerator {
  private final SplittableRandom source;

  /// Takes the seed from `random`, which is not used afterwards.
  RandomStreams(RandomGenerator random) {
    this.source = new SplittableRandom(random.nextLong());
  }

  @Override
  public synchronized long nextLong() {
    return source.split().nextLong();
  }
}
