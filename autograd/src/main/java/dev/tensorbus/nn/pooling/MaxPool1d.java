// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.pooling;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.functional.Poolings;

/// The maximum of each window of a sequence. Like `torch.nn.MaxPool1d`.
public final class MaxPool1d extends Layer implements Forward {
  private final int kernel;
  private final Sliding sliding;

  /// Creates a layer with windows that do not overlap.
  public MaxPool1d(int kernel) {
    this(kernel, Sliding.ONE.withStride(kernel));
  }

  /// Creates a layer with windows of the given size, stride, padding and dilation. Only the values
  /// of `sliding` for columns are used.
  public MaxPool1d(int kernel, Sliding sliding) {
    this.kernel = kernel;
    this.sliding = sliding;
  }

  /// Computes `[n, c, …]` from `[n, c, steps]`.
  ///
  /// @throws ShapeException if there are not three axes or the window does not fit
  @Override
  public Tensor forward(Tensor sequences) {
    return Poolings.maxPool1d(sequences, kernel, sliding);
  }
}
