// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.server;

import dev.tensorbus.autograd.DType;
import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import java.util.function.UnaryOperator;

/// Computes predictions of a model while the model is being trained.
///
/// @param twin a second instance of the model, in evaluation mode; the values of each version are
///     loaded into it
/// @param forward the forward pass of `twin`, which returns one row per example
/// @param example the shape of one example
/// @param dtype the type of the examples, such as int64 for indices of words
public record Predictor(Layer twin, UnaryOperator<Tensor> forward, Shape example, DType dtype) {
  /// Switches `twin` to evaluation mode.
  public Predictor {
    twin.eval();
  }

  /// Creates a predictor for float32 examples, and switches `twin` to evaluation mode.
  public Predictor(Layer twin, UnaryOperator<Tensor> forward, Shape example) {
    this(twin, forward, example, DType.FLOAT32);
  }
}
