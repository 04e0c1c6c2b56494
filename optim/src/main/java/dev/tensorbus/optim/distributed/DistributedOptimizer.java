// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.GradientChange;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistContext;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/// Updates parameters where they live: each owner gets an optimizer of its own, which steps by
/// the gradients that a distributed backward pass left there. After
/// `torch.distributed.optim.DistributedOptimizer`.
///
/// Several trainers may each have one over the same parameters; their steps follow one another,
/// each from the values that the one before left.
public final class DistributedOptimizer {
  private final List<ParameterGroup<RRef<Tensor>>> groups;
  private final List<Owner> owners;

  private DistributedOptimizer(List<ParameterGroup<RRef<Tensor>>> groups, List<Owner> owners) {
    this.groups = groups;
    this.owners = owners;
  }

  /// Makes an optimizer on each owner of these parameters. Waits until all are there; not for
  /// event loops.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if an owner cannot make it
  public static DistributedOptimizer create(
      Rpc rpc, OptimizerSpec spec, List<RRef<Tensor>> parameters) {
    return create(rpc, List.of(new ParameterGroup<>(spec, parameters)));
  }

  /// Does so for groups with settings of their own. What [ParameterGroup#set] gives them travels
  /// to all owners with the next step.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if an owner cannot make it
  public static DistributedOptimizer create(
      Rpc rpc, Collection<ParameterGroup<RRef<Tensor>>> groups) {
    List<ParameterGroup<RRef<Tensor>>> ordered = List.copyOf(groups);
    List<Owner> owners = Owner.create(rpc, ordered);
    if (owners.isEmpty()) {
      throw new IllegalArgumentException(
          "distributed optimizer: given no parameters, so nothing to learn");
    }
    Future.all(owners.stream().map(owner -> owner.optimizer().created()).toList()).await();
    return new DistributedOptimizer(ordered, owners);
  }

  /// The parameters with their present settings.
  public List<ParameterGroup<RRef<Tensor>>> groups() {
    return groups;
  }

  /// Updates every parameter, on all owners at the same time, by the gradients that this
  /// context's passes left. Waits until all are done; not for event loops.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if an owner fails
  public void step(DistContext context) {
    step(context, GradientChange.NONE);
  }

  /// Does so by gradients that are clipped, alike on all owners: one round trip asks for their
  /// norms, one steps.
  ///
  /// @return the norm of all gradients before
  /// @throws ArithmeticException if that is infinite or NaN, and the clipping wants an error;
  ///     nothing is changed then
  /// @throws dev.tensorbus.rpc.RpcException if an owner fails
  public double step(DistContext context, Clipping clipping) {
    double norm = clipping.total(norms(context, clipping.normType()));
    step(context, clipping.change(norm));
    return norm;
  }

  private void step(DistContext context, GradientChange change) {
    List<OptimizerSpec> specs = Owner.specs(groups);
    onAll(owner -> owner.optimizer().rpcAsync(OwnerOptimizer::step, context.id(), specs, change));
  }

  /// The norm of each gradient, in the order of the parameters whoever owns them: so their sum is
  /// the same for every placement.
  private double[] norms(DistContext context, double normType) {
    List<double[]> answers =
        onAll(owner -> owner.optimizer().rpcAsync(OwnerOptimizer::norms, context.id(), normType));
    double[] norms = new double[groups.stream().mapToInt(group -> group.parameters().size()).sum()];
    for (int i = 0; i < owners.size(); i++) {
      List<Integer> places = owners.get(i).places();
      for (int j = 0; j < places.size(); j++) {
        norms[places.get(j)] = answers.get(i)[j];
      }
    }
    return norms;
  }

  private <R> List<R> onAll(Function<Owner, Future<R>> call) {
    return Future.all(owners.stream().map(call).toList()).await().list();
  }
}
