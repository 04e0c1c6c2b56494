// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.nn.loss;

import dev.tensorbus.autograd.Tensor;

/// Says how far a result is from the one that was wanted: one of this package's records, or a
/// function such as `Losses::mseLoss`.
@FunctionalInterface
public interface Loss {
  /// The loss. Shapes are the implementation's own.
  ///
  /// @param predicted the network's result
  /// @param wanted the values or classes that it should have given
  Tensor forward(Tensor predicted, Tensor wanted);
}
