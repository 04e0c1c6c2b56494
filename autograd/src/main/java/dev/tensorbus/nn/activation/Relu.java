// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.activation;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;

/// [Tensor#relu] as a layer: `max(x, 0)`. Like `torch.nn.ReLU`.
public final class Relu extends Layer implements Forward {
  /// Creates the activation.
  public Relu() {}

  /// Applies the activation elementwise; the shape is unchanged.
  @Override
  public Tensor forward(Tensor x) {
    return x.relu();
  }
}
