// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import java.util.function.UnaryOperator;

/// Computes predictions of a model while it is trained.
///
/// @param twin a second instance of the model, in evaluation mode; it receives the values of each
///     version
/// @param forward the twin's forward pass, with a row for each example
/// @param example the shape of one example
public record Predictor(Layer twin, UnaryOperator<Tensor> forward, Shape example) {
  /// Switches the twin to evaluation mode.
  public Predictor {
    twin.eval();
  }
}
