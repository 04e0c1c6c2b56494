// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.pooling;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Sliding;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Forward;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.functional.Poolings;

/// Max pooling of images to a fixed size. Like `torch.nn.AdaptiveMaxPool2d`.
public final class AdaptiveMaxPool2d extends Layer implements Forward {
  private final Sliding.Pair size;

  /// Creates a layer whose result has `size` rows and columns.
  public AdaptiveMaxPool2d(int size) {
    this(Sliding.Pair.of(size));
  }

  /// Creates a layer whose result has the given number of rows and columns.
  public AdaptiveMaxPool2d(Sliding.Pair size) {
    this.size = size;
  }

  /// Computes `[n, c, rows, columns]` from `[n, c, h, w]`.
  ///
  /// @throws ShapeException if there are not four axes or an image is empty
  @Override
  public Tensor forward(Tensor images) {
    return Poolings.adaptiveMaxPool2d(images, size);
  }
}
