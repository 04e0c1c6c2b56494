// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.pooling;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.functional.Poolings;

/// The mean of each window. Like `torch.nn.AvgPool2d`.
public final class AvgPool2d extends Layer implements Forward {
  private final Sliding.Pair kernel;
  private final Sliding sliding;

  /// Creates a layer with square windows that do not overlap.
  public AvgPool2d(int kernel) {
    this(Sliding.Pair.of(kernel), Sliding.ONE.withStride(kernel));
  }

  /// Creates a layer with windows of the given size, stride, padding and dilation.
  public AvgPool2d(Sliding.Pair kernel, Sliding sliding) {
    this.kernel = kernel;
    this.sliding = sliding;
  }

  /// Computes `[n, c, …, …]` from `[n, c, h, w]`.
  ///
  /// @throws ShapeException if there are not four axes or the window does not fit
  @Override
  public Tensor forward(Tensor images) {
    return Poolings.avgPool2d(images, kernel, sliding);
  }
}
