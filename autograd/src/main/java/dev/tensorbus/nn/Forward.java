// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Tensor;

/// Computes a tensor from a tensor: a [Layer] of one input and one result, or a function such as
/// `Tensor::relu`. [Sequential] is made of such parts.
@FunctionalInterface
public interface Forward {
  /// The result for this input. Its shapes are the implementation's own.
  ///
  /// @throws dev.tensorbus.autograd.ShapeException if the input's shape does not fit
  Tensor forward(Tensor x);
}
