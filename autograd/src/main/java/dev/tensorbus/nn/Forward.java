// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Tensor;

/// Computes a tensor from a tensor: a [Layer] with one input and one output, or a function such as
/// `Tensor::relu`. [Sequential] consists of such parts.
@FunctionalInterface
public interface Forward {
  /// Returns the output for an input. The implementation defines the shapes.
  ///
  /// @throws dev.tensorbus.autograd.ShapeException if the input's shape does not fit
  Tensor forward(Tensor x);
}
