// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One application of an [Operation] in the graph.
final class OperationNode extends Node {
  private final Operation operation;
  private final Operation.Derivative derivative;

  OperationNode(Operation operation, Operation.Derivative derivative, List<Edge> inputs) {
    super(1, inputs);
    this.operation = operation;
    this.derivative = derivative;
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    return derivative.backward(Objects.requireNonNull(gradients[0]), needed);
  }

  @Override
  protected @Nullable SplitBackward splitBackward(@Nullable Tensor[] gradients) {
    return derivative.isSeparable() ? needed -> backward(gradients, needed) : null;
  }

  @Override
  protected boolean isUserCode() {
    return false;
  }

  /// The operation's name as [Tensor] has it: `maxPool2d`.
  @Override
  public String toString() {
    return operation.name();
  }
}
