// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.recurrent;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.autograd.op.MatrixOps;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One application of a [Recurrent] network in the graph; unlike an
/// [dev.tensorbus.autograd.op.Operation] it has several results.
final class RecurrentNode extends Node {
  private final RecurrentStates states;

  RecurrentNode(RecurrentStates states, List<Edge> inputs) {
    super(states.network().results(), inputs);
    this.states = states;
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    return RecurrentGradient.inputs(states, gradients, needed);
  }

  /// The way back through the steps is for all inputs; then their products may come one by one.
  @Override
  protected @Nullable SplitBackward splitBackward(@Nullable Tensor[] gradients) {
    return states.network().weightWork() >= MatrixOps.LONG
        ? RecurrentGradient.of(states, gradients)::inputs
        : null;
  }

  @Override
  protected boolean isUserCode() {
    return false;
  }

  /// As torch names it: `lstm`.
  @Override
  public String toString() {
    return states.network().name();
  }
}
