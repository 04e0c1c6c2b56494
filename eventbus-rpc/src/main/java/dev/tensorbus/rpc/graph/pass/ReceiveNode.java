// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The place in the graph where tensors arrived at this worker, and from where their gradients go
/// back to the peer's [SendNode]. An end of this worker's part of the graph.
public final class ReceiveNode extends Node {
  private final String peer;
  private final long message;

  /// Records that a message has brought so many tracked tensors.
  public ReceiveNode(String peer, long message, int tensors) {
    super(tensors, List.of());
    this.peer = peer;
    this.message = message;
  }

  /// The receive functions that tensors were computed from.
  public static Set<ReceiveNode> behind(List<Tensor> tensors) {
    Set<Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Node> rest = new ArrayDeque<>();
    tensors.forEach(tensor -> push(tensor.gradientEdge(), seen, rest));
    while (!rest.isEmpty()) {
      rest.pop().inputs().forEach(edge -> push(edge, seen, rest));
    }
    Set<ReceiveNode> received = new LinkedHashSet<>();
    seen.forEach(node -> addIfReceived(node, received));
    return received;
  }

  private static void push(Edge edge, Set<Node> seen, Deque<Node> rest) {
    Node node = edge.node();
    if (node != null && seen.add(node)) {
      rest.push(node);
    }
  }

  private static void addIfReceived(Node node, Set<ReceiveNode> received) {
    if (node instanceof ReceiveNode end) {
      received.add(end);
    }
  }

  /// The worker that the tensors came from.
  public String peer() {
    return peer;
  }

  /// The id of the message that brought them.
  long message() {
    return message;
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    throw new IllegalStateException(this + " is an end of the graph; the pass takes its gradients");
  }

  @Override
  protected boolean isUserCode() {
    return false;
  }

  @Override
  public String toString() {
    return "receive from " + peer;
  }
}
