// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// Gives each forward pass a random number from a separate stream. Any number of threads may call
/// it; sequential calls get the same numbers for equal seeds.
final class RandomStreams implements RandomGenerator {
  private final SplittableRandom source;

  /// Draws the seed from `random`, which is not used afterwards.
  RandomStreams(RandomGenerator random) {
    this.source = new SplittableRandom(random.nextLong());
  }

  @Override
  public synchronized long nextLong() {
    return source.split().nextLong();
  }
}
