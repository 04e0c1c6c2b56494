// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.activation;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;

/// [Tensor#gelu] as a layer: `x * P(X < x)` for a standard normal `X`. Like `torch.nn.GELU`.
public final class Gelu extends Layer implements Forward {
  /// Creates the activation.
  public Gelu() {}

  /// Applies the activation elementwise; the shape is unchanged.
  @Override
  public Tensor forward(Tensor x) {
    return x.gelu();
  }
}
