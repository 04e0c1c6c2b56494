// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// Leaves values out at random in training; in evaluation it changes nothing.
/// After `torch.nn.Dropout`.
public final class Dropout extends RandomDropout {
  /// Takes the probability of leaving out, in `[0, 1)`, and where the seed comes from.
  public Dropout(float probability, RandomGenerator random) {
    super(probability, random);
  }

  /// The probability of leaving out now: 0 in evaluation.
  public float probability() {
    return isTraining() ? probability : 0;
  }

  /// Where the choices come from.
  public RandomGenerator random() {
    return streams;
  }

  @Override
  Tensor dropped(Tensor x, float probability, RandomGenerator random) {
    return x.dropout(probability, random);
  }
}
