// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.Node;
import dev.tensorbus.autograd.Tensor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where tensors left this worker in a call or an answer, and where their gradients come back. A
/// root of the backward pass.
final class SendNode extends Node {
  private final String peer;

  SendNode(String peer, List<Tensor> tensors) {
    super(tensors.size(), tensors.stream().map(Tensor::gradientEdge).toList());
    this.peer = peer;
  }

  /// The worker that the tensors went to.
  String peer() {
    return peer;
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    return gradients;
  }

  @Override
  protected boolean onlyComputes() {
    return true;
  }

  @Override
  public String toString() {
    return "send to " + peer;
  }
}
