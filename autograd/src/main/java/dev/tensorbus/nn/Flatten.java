// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Tensor;

/// Makes one axis of several, as [Tensor#flatten] does. After `torch.nn.Flatten`.
public final class Flatten extends Layer implements Forward {
  private final int startAxis;

  /// Flattens each example of a batch: `[n, c, h, w]` gives `[n, c * h * w]`.
  public Flatten() {
    this(1);
  }

  /// Flattens this axis and all after it.
  public Flatten(int startAxis) {
    this.startAxis = startAxis;
  }

  /// Shares the values.
  ///
  /// @throws dev.tensorbus.autograd.ShapeException if there is no such axis
  @Override
  public Tensor forward(Tensor x) {
    return x.flatten(startAxis);
  }
}
