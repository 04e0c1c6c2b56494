// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.trace.Application;

/// An operation whose kernel computes the result and the derivative's values at once. If the result
/// was computed elsewhere, the kernel runs again for the derivative.
public interface FusedForward extends Operation {
  @Override
  Result forward(Tensor... inputs);

  @Override
  default Tensor value(Tensor... inputs) {
    return forward(inputs).value();
  }

  @Override
  default Derivative derivative(Application of) {
    return forward(of.all()).derivative();
  }
}
