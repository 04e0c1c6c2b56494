// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.distributions;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// A batch of independent distributions.
public interface Distribution {
  /// Returns the shape of the batch, which is the shape of a sample.
  Shape batchShape();

  /// Draws a sample from each distribution, without a gradient. Generators in the same state
  /// produce the same samples.
  Tensor sample(RandomGenerator random);

  /// Returns the logarithm of the probability (or density) of a value under each distribution.
  ///
  /// @param value a tensor whose shape can be broadcast with the batch shape
  Tensor logProbability(Tensor value);

  /// Returns the entropy of each distribution, in nats.
  Tensor entropy();
}
