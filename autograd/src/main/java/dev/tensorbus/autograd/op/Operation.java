// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Edge;
import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Node;
import dev.tensorbus.autograd.Tensor;
import org.jspecify.annotations.Nullable;

/// One differentiable operation: a record of its settings, with the forward computation in
/// [#forward] and the derivative in the [Derivative] that it returns.
///
/// Operations are given shapes that fit; whoever makes one checks them first.
///
/// There are no second derivatives: gradients are computed from values and are not recorded.
interface Operation {
  /// Computes the result and says what the derivative needs.
  ///
  /// @param inputs cut off from the graph: each is one version of its values for good
  Result forward(Tensor... inputs);

  /// The name in messages: what [Tensor] calls it.
  default String name() {
    String name = getClass().getSimpleName();
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  /// Runs this operation and records it if a gradient of an input is wanted; otherwise nothing of
  /// what the derivative needs is kept.
  default Tensor apply(Tensor... inputs) {
    Tensor[] versions = new Tensor[inputs.length];
    boolean wanted = false;
    for (int i = 0; i < inputs.length; i++) {
      versions[i] = inputs[i].detach();
      wanted |= inputs[i].requiresGrad();
    }
    Result result = forward(versions);
    if (!wanted || NoGrad.isOn()) {
      return result.value();
    }
    Node node = new Recorded(this, result.derivative(), inputs);
    return Tensor.recorded(result.value(), new Edge(node, 0));
  }

  /// What the forward computation gives.
  record Result(Tensor value, Derivative derivative) {}

  /// The derivative of one application: a record of the values that it keeps from the forward
  /// pass.
  @FunctionalInterface
  interface Derivative {
    /// Computes the inputs' gradients from the result's.
    ///
    /// @param needed for each input whether its gradient is wanted
    /// @return one for each input; null where it is not needed
    @Nullable Tensor[] backward(Tensor gradient, boolean[] needed);
  }
}
