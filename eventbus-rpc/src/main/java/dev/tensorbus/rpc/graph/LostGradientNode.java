// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The graph node of tensors that require a gradient but were sent outside of any context. A
/// backward pass that reaches this node fails: it cannot send the tensors' gradients back, and
/// other gradients would be wrong without them.
final class LostGradientNode extends Node {
  private final String message;

  /// @param message the error message: which call lost the gradients, and what to do
  LostGradientNode(int tensors, String message) {
    super(tensors, List.of(Edge.NONE));
    this.message = message;
  }

  /// Returns whether any of these tensors depends on a tensor whose gradient is lost.
  static boolean isBehind(List<Tensor> tensors) {
    Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Edge> rest = new ArrayDeque<>();
    tensors.forEach(tensor -> rest.push(tensor.gradientEdge()));
    while (!rest.isEmpty()) {
      Node node = rest.pop().node();
      if (node instanceof LostGradientNode) {
        return true;
      }
      if (node != null && seen.add(node)) {
        node.inputs().forEach(rest::push);
      }
    }
    return false;
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    throw new IllegalStateException(message);
  }

  @Override
  protected boolean isUserCode() {
    return false;
  }

  @Override
  public String toString() {
    return "lost gradient";
  }
}
