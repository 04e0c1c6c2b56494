// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.activation;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;

/// [Tensor#leakyRelu] as a layer: `x` if positive, otherwise `negativeSlope * x`. Like
/// `torch.nn.LeakyReLU`.
public final class LeakyRelu extends Layer implements Forward {
  private final double negativeSlope;

  /// Creates the activation with a slope of 0.01 below 0, torch's default.
  public LeakyRelu() {
    this(0.01);
  }

  /// Creates the activation with the given slope below 0.
  public LeakyRelu(double negativeSlope) {
    this.negativeSlope = negativeSlope;
  }

  /// Applies the activation elementwise; the shape is unchanged.
  @Override
  public Tensor forward(Tensor x) {
    return x.leakyRelu(negativeSlope);
  }
}
