// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Dropouts;
import java.util.random.RandomGenerator;

/// Does what [AlphaDropout] does for whole channels of `[n, c, …]`.
/// After `torch.nn.FeatureAlphaDropout`.
public final class FeatureAlphaDropout extends RandomDropout {
  /// Takes the probability of leaving out, in `[0, 1)`, and where the seed comes from.
  public FeatureAlphaDropout(float probability, RandomGenerator random) {
    super(probability, random);
  }

  @Override
  Tensor dropped(Tensor x, float probability, RandomGenerator random) {
    return Dropouts.featureAlphaDropout(x, probability, random);
  }
}
