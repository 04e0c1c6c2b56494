// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Dropouts;
import java.util.random.RandomGenerator;

/// Zeroes random channels of `[n, c, d, h, w]` in training. Does nothing in evaluation mode. Like
/// `torch.nn.Dropout3d`.
public final class Dropout3d extends RandomDropout {
  /// Creates a layer that draws its seed from `random`; the probability of dropping is in `[0, 1)`.
  public Dropout3d(float probability, RandomGenerator random) {
    super(probability, random);
  }

  @Override
  Tensor dropped(Tensor x, float probability, RandomGenerator random) {
    return Dropouts.dropout3d(x, probability, random);
  }
}
