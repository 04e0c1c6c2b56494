// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.activation;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;

/// [Tensor#silu] as a layer: `x * sigmoid(x)`. Like `torch.nn.SiLU`.
public final class Silu extends Layer implements Forward {
  /// Creates the activation.
  public Silu() {}

  /// Applies the activation elementwise; the shape is unchanged.
  @Override
  public Tensor forward(Tensor x) {
    return x.silu();
  }
}
