// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.pooling;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.functional.Poolings;

/// Average pooling of sequences to a fixed length. Like `torch.nn.AdaptiveAvgPool1d`.
public final class AdaptiveAvgPool1d extends Layer implements Forward {
  private final int size;

  /// Creates a layer whose result has `size` steps.
  public AdaptiveAvgPool1d(int size) {
    this.size = size;
  }

  /// Computes `[n, c, size]` from `[n, c, steps]`.
  ///
  /// @throws ShapeException if there are not three axes or a sequence is empty
  @Override
  public Tensor forward(Tensor sequences) {
    return Poolings.adaptiveAvgPool1d(sequences, size);
  }
}
