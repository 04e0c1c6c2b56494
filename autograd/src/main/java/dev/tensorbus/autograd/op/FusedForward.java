// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.trace.Application;

/// An operation whose kernel computes the result and the derivative's values together. If the
/// result was computed elsewhere, the kernel runs again for the derivative.
public interface FusedForward extends Operation {
  /// Computes the result, without recording it, and the derivative.
  ///
  /// @param inputs one fixed version of each input, at its place in the graph
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
