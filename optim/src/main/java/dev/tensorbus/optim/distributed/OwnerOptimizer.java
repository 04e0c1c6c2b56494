// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.GradientChange;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.autograd.DistAutograd;
import java.util.ArrayList;
import java.util.List;

/// The part of a [DistributedOptimizer] on one owner of parameters. It has all groups, some of
/// them without parameters here.
final class OwnerOptimizer {
  private final Optimizer optimizer;

  @Remote
  OwnerOptimizer(List<OptimizerSpec> specs, List<List<RRef<Tensor>>> parameters) {
    List<ParameterGroup<Tensor>> groups = new ArrayList<>();
    for (int i = 0; i < specs.size(); i++) {
      List<Tensor> local = parameters.get(i).stream().map(RRef::localValue).toList();
      groups.add(new ParameterGroup<>(specs.get(i), local));
    }
    optimizer = new Optimizer(groups);
  }

  /// The norms of the gradients that a context left here, in the order of the groups.
  @Remote
  double[] norms(long context, double normType) {
    return optimizer.norms(DistAutograd.gradients(context)::get, normType);
  }

  /// Steps by the gradients that a context left here. One after the other, since each brings the
  /// settings that it goes by.
  @Remote
  synchronized void step(long context, List<OptimizerSpec> specs, GradientChange change) {
    for (int i = 0; i < specs.size(); i++) {
      optimizer.groups().get(i).set(specs.get(i));
    }
    optimizer.step(DistAutograd.gradients(context)::get, change);
  }
}
