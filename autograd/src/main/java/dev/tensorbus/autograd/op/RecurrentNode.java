// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Edge;
import dev.tensorbus.autograd.Node;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One application of a [Recurrent] network in the graph; unlike an [Operation] it has several
/// results.
final class RecurrentNode extends Node {
  private final RecurrentStates states;

  RecurrentNode(RecurrentStates states, List<Edge> inputs) {
    super(states.network().results(), inputs);
    this.states = states;
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    RecurrentGradient gradient = RecurrentGradient.of(states, gradients);
    @Nullable Tensor[] inputs = gradient.inputs(needed);
    gradient.free();
    return inputs;
  }

  /// The way back through the steps is for all inputs; then their products may come one by one.
  @Override
  protected @Nullable Parts inParts(@Nullable Tensor[] gradients) {
    return states.network().weightWork() >= MatrixOps.LONG
        ? RecurrentGradient.of(states, gradients)::inputs
        : null;
  }

  @Override
  protected boolean onlyComputes() {
    return true;
  }

  /// As torch names it: `lstm`.
  @Override
  public String toString() {
    return states.network().name();
  }
}
