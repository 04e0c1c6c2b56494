// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// Zeroes random channels of `[n, c, h, w]` in training. Does nothing in evaluation mode. Like
/// `torch.nn.Dropout2d`.
public final class Dropout2d extends RandomDropout {
  /// Creates a layer that draws its seed from `random`; the probability of dropping is in `[0, 1)`.
  public Dropout2d(float probability, RandomGenerator random) {
    super(probability, random);
  }

  @Override
  Tensor dropped(Tensor x, float probability, RandomGenerator random) {
    return x.dropout2d(probability, random);
  }
}
