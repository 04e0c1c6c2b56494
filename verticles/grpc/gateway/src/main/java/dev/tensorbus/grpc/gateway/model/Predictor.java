// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.grpc.gateway.model;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import java.util.function.UnaryOperator;

/// How a model answers those who do not train it.
///
/// @param twin a network of the model's kind that nobody trains: it gets the model's values
/// @param forward its answer, a row for each row of examples
/// @param example the shape of one example
public record Predictor(Layer twin, UnaryOperator<Tensor> forward, Shape example) {
  /// Switches the twin to evaluation.
  public Predictor {
    twin.eval();
  }
}
