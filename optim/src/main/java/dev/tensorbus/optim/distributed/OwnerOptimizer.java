// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.autograd.DistAutograd;
import java.util.List;

/// The part of a [DistributedOptimizer] on one owner of parameters.
final class OwnerOptimizer {
  private final Optimizer optimizer;

  @Remote
  OwnerOptimizer(OptimizerSpec spec, List<RRef<Tensor>> parameters) {
    optimizer = spec.over(parameters.stream().map(RRef::localValue).toList());
  }

  /// Steps by the gradients that a context left here.
  @Remote
  void step(long context) {
    optimizer.step(DistAutograd.gradients(context)::get);
  }
}
