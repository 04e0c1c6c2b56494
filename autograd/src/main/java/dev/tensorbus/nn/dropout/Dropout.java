// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// Zeroes random values in training. Does nothing in evaluation mode. Like `torch.nn.Dropout`.
public final class Dropout extends RandomDropout {
  /// Creates a layer that draws its seed from `random`; the probability of dropping is in `[0, 1)`.
  public Dropout(float probability, RandomGenerator random) {
    super(probability, random);
  }

  /// Returns the current probability of dropping: 0 in evaluation mode.
  public float probability() {
    return isTraining() ? probability : 0;
  }

  /// Returns the random generator that determines which values are dropped.
  public RandomGenerator random() {
    return streams;
  }

  @Override
  Tensor dropped(Tensor x, float probability, RandomGenerator random) {
    return x.dropout(probability, random);
  }
}
