// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.Node;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where tensors arrived at this worker, and from where their gradients go back to the peer's
/// [SendNode]. An end of this worker's part of the graph.
final class ReceiveNode extends Node {
  private final String peer;
  private final long message;

  ReceiveNode(String peer, long message, int tensors) {
    super(tensors, List.of());
    this.peer = peer;
    this.message = message;
  }

  /// The worker that the tensors came from.
  String peer() {
    return peer;
  }

  /// The name of the message that brought them.
  long message() {
    return message;
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    throw new IllegalStateException(this + " is an end of the graph; the pass takes its gradients");
  }

  @Override
  protected boolean onlyComputes() {
    return true;
  }

  @Override
  public String toString() {
    return "receive from " + peer;
  }
}
