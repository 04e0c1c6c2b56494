// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The receive function of a message: the graph node of the tensors that arrived. This worker's
/// part of the graph ends here; the gradients are sent back to the peer's [SendNode].
public final class ReceiveNode extends Node {
  private final String peer;
  private final long message;

  /// Creates the receive function of a message with the given number of tracked tensors.
  public ReceiveNode(String peer, long message, int tensors) {
    super(tensors, List.of());
    this.peer = peer;
    this.message = message;
  }

  /// Returns the worker that the tensors came from.
  String peer() {
    return peer;
  }

  /// Returns the id of the message.
  long message() {
    return message;
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    throw new IllegalStateException(
        "backward: a tensor was received from "
            + peer
            + " in an autograd context, which a plain backward pass does not reach; pass the loss"
            + " to DistContext.backward");
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
