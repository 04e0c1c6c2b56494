// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.activation;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;

/// [Tensor#sigmoid] as a layer: `1 / (1 + exp(-x))`. Like `torch.nn.Sigmoid`.
public final class Sigmoid extends Layer implements Forward {
  /// Creates the activation.
  public Sigmoid() {}

  /// Applies the activation elementwise; the shape is unchanged.
  @Override
  public Tensor forward(Tensor x) {
    return x.sigmoid();
  }
}
