// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The graph node of gradients that were computed without recording. A pass that differentiates
/// them fails here. Like torch's `NotImplemented`.
final class OnceDifferentiable extends Node {
  private final Node function;

  private OnceDifferentiable(Node function, int outputs, List<Edge> inputs) {
    super(outputs, inputs);
    this.function = function;
  }

  /// Returns a function's gradients, recorded as depending on the function's inputs and on the
  /// given gradients.
  static @Nullable Tensor[] gradients(
      Node function, @Nullable Tensor[] gradients, boolean[] needed) {
    @Nullable Tensor[] found = NoGrad.call(() -> function.backward(gradients, needed));
    List<Edge> inputs = new ArrayList<>(function.inputs());
    for (Tensor gradient : gradients) {
      inputs.add(gradient == null ? Edge.NONE : gradient.gradientEdge());
    }
    Node origin = new OnceDifferentiable(function, found.length, inputs);
    @Nullable Tensor[] recorded = new Tensor[found.length];
    for (int i = 0; i < found.length; i++) {
      Tensor gradient = found[i];
      recorded[i] = gradient == null ? null : Tensor.recorded(gradient, new Edge(origin, i));
    }
    return recorded;
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    throw new UnsupportedOperationException(
        "backward: %s has no second derivative, because it does not record how it computes its"
                .formatted(function)
            + " gradients; detach them, or compute this part with other operations");
  }

  @Override
  protected boolean isUserCode() {
    return false;
  }

  @Override
  public String toString() {
    return function + "Backward";
  }
}
