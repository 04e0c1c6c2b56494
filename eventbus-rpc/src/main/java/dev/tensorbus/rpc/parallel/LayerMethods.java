// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.parallel;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.util.List;

/// The methods of a remote layer that run on the layer's owner.
final class LayerMethods {
  private LayerMethods() {}

  @Remote
  static List<RRef<Tensor>> parameters(Layer layer) {
    return layer.parameters().stream().map(Rpc.current()::rref).toList();
  }

  @Remote
  static StateDict state(Layer layer) {
    return layer.state();
  }

  @Remote
  static void switchTo(Layer layer, boolean training) {
    if (training) {
      layer.train();
    } else {
      layer.eval();
    }
  }
}
