// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.functional.Dropouts;
import java.util.random.RandomGenerator;

/// Applies [AlphaDropout] to whole channels of `[n, c, …]`. Like `torch.nn.FeatureAlphaDropout`.
public final class FeatureAlphaDropout extends RandomDropout {
  /// Creates a layer that draws its seed from `random`; the probability of dropping is in `[0, 1)`.
  public FeatureAlphaDropout(float probability, RandomGenerator random) {
    super(probability, random);
  }

  @Override
  Tensor dropped(Tensor x, float probability, RandomGenerator random) {
    return Dropouts.featureAlphaDropout(x, probability, random);
  }
}
