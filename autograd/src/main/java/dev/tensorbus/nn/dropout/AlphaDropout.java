// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Dropouts;
import java.util.random.RandomGenerator;

/// Gives values SELU's lower limit at random in training, and keeps mean and variance; in
/// evaluation it changes nothing. After `torch.nn.AlphaDropout`.
public final class AlphaDropout extends RandomDropout {
  /// Takes the probability of leaving out, in `[0, 1)`, and where the seed comes from.
  public AlphaDropout(float probability, RandomGenerator random) {
    super(probability, random);
  }

  @Override
  Tensor dropped(Tensor x, float probability, RandomGenerator random) {
    return Dropouts.alphaDropout(x, probability, random);
  }
}
