// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.activation;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;

/// [Tensor#logSoftmax] as a layer: the logarithm of [Softmax]. Like `torch.nn.LogSoftmax`.
public final class LogSoftmax extends Layer implements Forward {
  private final int axis;

  /// Creates the activation along an axis.
  public LogSoftmax(int axis) {
    this.axis = axis;
  }

  /// Returns a tensor of the same shape.
  ///
  /// @throws dev.tensorbus.autograd.ShapeException if there is no such axis
  @Override
  public Tensor forward(Tensor x) {
    return x.logSoftmax(axis);
  }
}
