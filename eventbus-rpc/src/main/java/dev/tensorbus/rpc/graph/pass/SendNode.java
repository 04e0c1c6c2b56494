// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The send function of a message: the graph node of the tensors sent in a call or an answer. A
/// root of the backward pass on this worker, since the peer sends the gradients back here.
final class SendNode extends Node {
  private final String peer;

  SendNode(String peer, List<Tensor> tensors) {
    super(tensors.size(), tensors.stream().map(Tensor::gradientEdge).toList());
    this.peer = peer;
  }

  /// Returns the worker that the tensors were sent to.
  String peer() {
    return peer;
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    return gradients;
  }

  @Override
  protected boolean isUserCode() {
    return false;
  }

  @Override
  public String toString() {
    return "send to " + peer;
  }
}
