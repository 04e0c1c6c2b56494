// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.WorkerInfo;
import dev.tensorbus.rpc.autograd.DistContext;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Updates parameters where they live: each owner gets an optimizer of its own, which steps by the
/// gradients that a distributed backward pass left there. After
/// `torch.distributed.optim.DistributedOptimizer`.
///
/// Several trainers may each have one over the same parameters; their steps follow one another,
/// each from the values that the one before left.
public final class DistributedOptimizer {
  private final List<RRef<OwnerOptimizer>> owners;

  private DistributedOptimizer(List<RRef<OwnerOptimizer>> owners) {
    this.owners = owners;
  }

  /// Makes an optimizer on each owner of these parameters. Waits until all are there; not for event
  /// loops.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if an owner cannot make it
  public static DistributedOptimizer create(
      Rpc rpc, OptimizerSpec spec, List<RRef<Tensor>> parameters) {
    if (parameters.isEmpty()) {
      throw new IllegalArgumentException(
          "distributed optimizer: given no parameters, so nothing to learn");
    }
    Map<WorkerInfo, List<RRef<Tensor>>> byOwner = new LinkedHashMap<>();
    for (RRef<Tensor> parameter : parameters) {
      byOwner.computeIfAbsent(parameter.owner(), owner -> new ArrayList<>()).add(parameter);
    }
    List<RRef<OwnerOptimizer>> owners = new ArrayList<>();
    byOwner.forEach(
        (owner, owned) -> owners.add(rpc.remote(owner.name(), OwnerOptimizer::new, spec, owned)));
    Future.all(owners.stream().map(RRef::created).toList()).await();
    return new DistributedOptimizer(owners);
  }

  /// Updates every parameter, on all owners at the same time, by the gradients that this context's
  /// passes left. Waits until all are done; not for event loops.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if an owner fails
  public void step(DistContext context) {
    Future.all(
            owners.stream()
                .map(owner -> owner.rpcAsync(OwnerOptimizer::step, context.id()))
                .toList())
        .await();
  }
}
