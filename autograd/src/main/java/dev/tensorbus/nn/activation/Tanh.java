// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.activation;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;

/// [Tensor#tanh] as a layer: the hyperbolic tangent. Like `torch.nn.Tanh`.
public final class Tanh extends Layer implements Forward {
  /// Creates the activation.
  public Tanh() {}

  /// Applies the activation elementwise; the shape is unchanged.
  @Override
  public Tensor forward(Tensor x) {
    return x.tanh();
  }
}
