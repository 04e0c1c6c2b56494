// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// Leaves whole channels of `[n, c, h, w]` out at random in training; in evaluation it changes
/// nothing. After `torch.nn.Dropout2d`.
public final class Dropout2d extends RandomDropout {
  /// Takes the probability of leaving out, in `[0, 1)`, and where the seed comes from.
  public Dropout2d(float probability, RandomGenerator random) {
    super(probability, random);
  }

  @Override
  Tensor dropped(Tensor x, float probability, RandomGenerator random) {
    return x.dropout2d(probability, random);
  }
}
