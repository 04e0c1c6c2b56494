// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.activation;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;

/// [Tensor#softmax] as a layer: `exp(x) / sum(exp(x))`. Like `torch.nn.Softmax`.
public final class Softmax extends Layer implements Forward {
  private final int axis;

  /// Creates the activation along an axis.
  public Softmax(int axis) {
    this.axis = axis;
  }

  /// Returns a tensor of the same shape.
  ///
  /// @throws dev.tensorbus.autograd.ShapeException if there is no such axis
  @Override
  public Tensor forward(Tensor x) {
    return x.softmax(axis);
  }
}
