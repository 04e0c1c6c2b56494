// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.trace.Application;

/// An operation whose kernel finds the result and what the derivative needs at once. Of a result
/// that was computed elsewhere, the kernel finds that again.
interface TwofoldOperation extends Operation {
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
