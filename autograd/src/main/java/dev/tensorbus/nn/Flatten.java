// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Tensor;

/// Merges several axes into one, as [Tensor#flatten] does. Like `torch.nn.Flatten`.
public final class Flatten extends Layer implements Forward {
  private final int startAxis;

  /// Flattens each example of a batch: `[n, c, h, w]` becomes `[n, c * h * w]`.
  public Flatten() {
    this(1);
  }

  /// Flattens `startAxis` and all later axes.
  public Flatten(int startAxis) {
    this.startAxis = startAxis;
  }

  /// Returns a tensor that shares the values of `x`.
  ///
  /// @throws dev.tensorbus.autograd.ShapeException if there is no such axis
  @Override
  public Tensor forward(Tensor x) {
    return x.flatten(startAxis);
  }
}
