// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Dropouts;
import java.util.random.RandomGenerator;

/// In training, sets random values to SELU's lower limit, then scales and shifts all values so that
/// mean 0 and variance 1 are preserved. Does nothing in evaluation mode. Like
/// `torch.nn.AlphaDropout`.
public final class AlphaDropout extends RandomDropout {
  /// Creates a layer that draws its seed from `random`; the probability of dropping is in `[0, 1)`.
  public AlphaDropout(float probability, RandomGenerator random) {
    super(probability, random);
  }

  @Override
  Tensor dropped(Tensor x, float probability, RandomGenerator random) {
    return Dropouts.alphaDropout(x, probability, random);
  }
}
