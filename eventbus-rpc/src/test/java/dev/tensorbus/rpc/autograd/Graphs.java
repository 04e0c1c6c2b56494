// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;

/// What the workers of the autograd tests compute for each other.
final class Graphs {
  private Graphs() {}

  @Remote
  static Tensor weight() {
    return Tensor.parameter(Shape.of(3), new float[] {7, 7, 7});
  }

  @Remote
  static Tensor timesWeight(RRef<Tensor> weight, Tensor x) {
    return x.mul(weight.localValue());
  }

  @Remote
  static Tensor gradient(RRef<Tensor> parameter, long context) {
    return DistAutograd.gradients(context).get(parameter.localValue());
  }

  /// `2ab`, of which the product is made by a third worker.
  @Remote
  static Tensor mulAt(Tensor a, Tensor b, String worker) {
    Tensor product = Rpc.current().rpcSync(worker, Tensor::mul, a, b);
    return product.add(product);
  }

  /// `2x`, after a round trip to each other worker.
  @Remote
  static Tensor slowly(Tensor x) {
    Rpc rpc = Rpc.current();
    rpc.workers().forEach(worker -> rpc.rpcSync(worker.name(), Graphs::weight));
    return x.add(x);
  }

  /// Keeps a tensor for as long as the worker lives.
  @Remote
  static void keep(Tensor tensor) {
    Rpc.current().shared(Keeper.class, Keeper::new).tensors.add(tensor);
  }

  @Remote
  static void keepBoth(Tensor first, Tensor second) {
    keep(first);
    keep(second);
  }

  private static final class Keeper {
    private final List<Tensor> tensors = new ArrayList<>();
  }
}
