// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// A generator that draws each number from a new stream. A forward pass draws one number and uses
/// it as its seed. Two generators with the same seed return the same sequence of numbers.
///
/// Thread-safe. If several threads call it, which of them receives which number is undefined.
final class RandomStreams implements RandomGenerator {
  private SplittableRandom source;

  /// Draws the seed from `random`, which is not used afterwards.
  RandomStreams(RandomGenerator random) {
    this.source = new SplittableRandom(random.nextLong());
  }

  /// Starts the sequence of another seed.
  synchronized void seed(long seed) {
    source = new SplittableRandom(seed);
  }

  @Override
  public synchronized long nextLong() {
    return source.split().nextLong();
  }
}
