// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import java.util.random.RandomGenerator;

/// The base class of dropout layers. In training, each pass drops different values; in evaluation
/// mode, nothing is dropped.
abstract sealed class RandomDropout extends Layer implements Forward
    permits Dropout, Dropout1d, Dropout2d, Dropout3d, AlphaDropout, FeatureAlphaDropout {
  final float probability;
  final RandomStreams streams;

  RandomDropout(float probability, RandomGenerator random) {
    this.probability = probability;
    this.streams = new RandomStreams(random);
  }

  /// Returns a tensor of the same shape.
  @Override
  public Tensor forward(Tensor x) {
    return forwardWith(streams, x);
  }

  /// Does the same as [#forward] with random numbers from `random` instead of the layer's
  /// generator, so that concurrent callers do not affect the result.
  public Tensor forwardWith(RandomGenerator random, Tensor x) {
    return isTraining() ? dropped(x, probability, random) : x;
  }

  @Override
  protected final void seeded(long seed) {
    streams.seed(seed);
  }

  abstract Tensor dropped(Tensor x, float probability, RandomGenerator random);
}
