// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.trace.Application;

/// An operation whose kernel computes the result together with the values that the derivative
/// needs. If another engine computed the result, the kernel runs again for the derivative.
public interface FusedForward extends Operation {
  /// Computes the result, without recording it, and the derivative.
  ///
  /// @param inputs one fixed version of each input, with the input's gradient edge
  Result forward(Tensor... inputs);

  @Override
  default Result record(Edge origin, Tensor... inputs) {
    Result found = forward(inputs);
    return new Result(Tensor.recorded(found.value(), origin), found.derivative());
  }

  @Override
  default Tensor value(Tensor... inputs) {
    return forward(inputs).value();
  }

  @Override
  default Derivative derivative(Application of) {
    return forward(of.all()).derivative();
  }
}
