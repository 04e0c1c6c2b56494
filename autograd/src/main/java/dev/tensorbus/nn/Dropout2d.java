// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// Leaves whole channels of `[n, c, h, w]` out at random in training; in evaluation it changes
/// nothing. After `torch.nn.Dropout2d`.
public final class Dropout2d extends Layer {
  private final float probability;
  private final RandomStreams streams;

  /// Takes the probability of leaving out, in `[0, 1)`, and where the seed comes from.
  public Dropout2d(float probability, RandomGenerator random) {
    this.probability = probability;
    this.streams = new RandomStreams(random);
  }

  /// The shape stays the same. See [Tensor#dropout2d].
  public Tensor forward(Tensor x) {
    return isTraining() ? x.dropout2d(probability, streams.next()) : x;
  }
}
