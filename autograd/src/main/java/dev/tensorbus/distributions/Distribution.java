// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.distributions;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import java.util.random.RandomGenerator;

/// A batch of independent distributions.
public interface Distribution {
  /// One for each of these: the shape of a sample.
  Shape batchShape();

  /// Draws from each; no gradient goes back through it. Equal generators give equal samples.
  Tensor sample(RandomGenerator random);

  /// The logarithm of the probability, or of its density, that each distribution gives to a
  /// value.
  ///
  /// @param value of a shape that broadcasts with the batch
  Tensor logProbability(Tensor value);

  /// How uncertain each distribution is, in nats.
  Tensor entropy();
}
