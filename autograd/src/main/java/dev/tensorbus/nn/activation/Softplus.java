// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.activation;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;

/// [Tensor#softplus] as a layer: `log(1 + exp(x))`. Like `torch.nn.Softplus`.
public final class Softplus extends Layer implements Forward {
  /// Creates the activation.
  public Softplus() {}

  /// Applies the activation elementwise; the shape is unchanged.
  @Override
  public Tensor forward(Tensor x) {
    return x.softplus();
  }
}
