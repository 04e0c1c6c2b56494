// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.pooling;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.functional.Poolings;

/// The greatest values of as many windows of a sequence as wanted. After
/// `torch.nn.AdaptiveMaxPool1d`.
public final class AdaptiveMaxPool1d extends Layer implements Forward {
  private final int size;

  /// Takes the steps of the result.
  public AdaptiveMaxPool1d(int size) {
    this.size = size;
  }

  /// `[n, c, steps]` gives `[n, c, size]`.
  ///
  /// @throws ShapeException if there are not three axes
  @Override
  public Tensor forward(Tensor sequences) {
    return Poolings.adaptiveMaxPool1d(sequences, size);
  }
}
