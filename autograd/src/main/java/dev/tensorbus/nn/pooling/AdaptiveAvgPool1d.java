// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.pooling;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.functional.Poolings;

/// The means of as many windows of a sequence as wanted. After `torch.nn.AdaptiveAvgPool1d`.
public final class AdaptiveAvgPool1d extends Layer implements Forward {
  private final int size;

  /// Takes the steps of the result.
  public AdaptiveAvgPool1d(int size) {
    this.size = size;
  }

  /// `[n, c, steps]` gives `[n, c, size]`.
  ///
  /// @throws ShapeException if there are not three axes
  @Override
  public Tensor forward(Tensor sequences) {
    return Poolings.adaptiveAvgPool1d(sequences, size);
  }
}
