// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.dropout;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import java.util.random.RandomGenerator;

/// The common part of dropout layers. In training each pass chooses anew; in evaluation nothing
/// changes.
abstract sealed class RandomDropout extends Layer implements Forward
    permits Dropout, Dropout1d, Dropout2d, Dropout3d, AlphaDropout, FeatureAlphaDropout {
  final float probability;
  final RandomStreams streams;

  RandomDropout(float probability, RandomGenerator random) {
    this.probability = probability;
    this.streams = new RandomStreams(random);
  }

  /// The shape stays the same.
  @Override
  public Tensor forward(Tensor x) {
    return forwardWith(streams, x);
  }

  /// Chooses by numbers from `random` instead of its own, so that other callers do not change its
  /// choices.
  public Tensor forwardWith(RandomGenerator random, Tensor x) {
    return isTraining() ? dropped(x, probability, random) : x;
  }

  abstract Tensor dropped(Tensor x, float probability, RandomGenerator random);
}
