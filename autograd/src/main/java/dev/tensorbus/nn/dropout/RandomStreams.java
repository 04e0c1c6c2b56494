// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// A generator that draws each number from a new stream. A forward pass draws one number and uses
/// it as its seed. Any number of threads may call it. With equal seeds, sequential calls return
/// equal numbers.
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
