// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.rpc.wire.WireTensor;
import java.util.ArrayList;
import java.util.List;

/// Creates the tensors of a received message.
final class Tensors {
  private Tensors() {}

  /// Returns the tensors of a message. The tracked ones become the outputs of `node`, in order.
  static List<Tensor> received(List<WireTensor> arrived, Node node) {
    List<Tensor> tensors = new ArrayList<>(arrived.size());
    int output = 0;
    for (WireTensor tensor : arrived) {
      tensors.add(
          tensor.tracked()
              ? Tensor.recorded(tensor.value(), new Edge(node, output++))
              : tensor.value());
    }
    return tensors;
  }
}
