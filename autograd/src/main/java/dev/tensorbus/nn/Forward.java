// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn;

import dev.tensorbus.autograd.Tensor;

/// A computation of one tensor from another: a [Layer] with one input and one output, or a function
/// such as `Tensor::relu`. A [Sequential] is a chain of these.
@FunctionalInterface
public interface Forward {
  /// Returns the output for an input. The implementation defines the shapes.
  ///
  /// @throws dev.tensorbus.autograd.ShapeException if the input's shape is incompatible
  Tensor forward(Tensor x);
}
