// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.activation;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;

/// [Tensor#leakyRelu] as a layer: `x` where positive, elsewhere a part of it. After
/// `torch.nn.LeakyReLU`.
public final class LeakyRelu extends Layer implements Forward {
  private final double negativeSlope;

  /// With a slope of 0.01 below 0, torch's default.
  public LeakyRelu() {
    this(0.01);
  }

  /// With this slope below 0.
  public LeakyRelu(double negativeSlope) {
    this.negativeSlope = negativeSlope;
  }

  /// Computes elementwise; the shape stays the same.
  @Override
  public Tensor forward(Tensor x) {
    return x.leakyRelu(negativeSlope);
  }
}
