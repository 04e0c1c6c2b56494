// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Clipping;
import dev.tensorbus.optim.NonFiniteGradientException;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.update.GradientChange;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Rpc;
import dev.tensorbus.rpc.autograd.DistContext;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// Updates parameters where they live: each owner gets an optimizer of its own, which steps by
/// the gradients that a distributed backward pass left there. After
/// `torch.distributed.optim.DistributedOptimizer`.
///
/// Several trainers may each have one over the same parameters; their steps follow one another,
/// each from the values that the one before left.
public final class DistributedOptimizer {
  /// The name of a step's span.
  private static final String STEP = "DistributedOptimizer.step";

  private final Rpc rpc;
  private final List<ParameterGroup<RRef<Tensor>>> groups;
  private final List<Owner> owners;
  private final AtomicLong skippedSteps = new AtomicLong();
  private volatile boolean errorIfNonFinite = true;

  private DistributedOptimizer(
      Rpc rpc, List<ParameterGroup<RRef<Tensor>>> groups, List<Owner> owners) {
    this.rpc = rpc;
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

  /// Does so for groups with settings of their own. New settings of [ParameterGroup#set] travel to
  /// all owners with the next step.
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
    return new DistributedOptimizer(rpc, ordered, owners);
  }

  /// The parameters with their present settings.
  public List<ParameterGroup<RRef<Tensor>>> groups() {
    return groups;
  }

  /// Makes a step by a gradient that is not finite an error, or skips it: see
  /// [dev.tensorbus.optim.Optimizer#setErrorIfNonFinite].
  ///
  /// @return this optimizer
  public DistributedOptimizer setErrorIfNonFinite(boolean errorIfNonFinite) {
    this.errorIfNonFinite = errorIfNonFinite;
    return this;
  }

  /// How many steps were skipped for gradients that are not finite.
  public long skippedSteps() {
    return skippedSteps.get();
  }

  /// Updates every parameter, on all owners at the same time, by the gradients that this
  /// context's passes left. Several owners are asked first whether their gradients are finite,
  /// which is a round trip. Waits until all are done; not for event loops.
  ///
  /// @throws IllegalStateException if no backward pass has run in the context
  /// @throws NonFiniteGradientException if a gradient is not finite, unless such steps are
  ///     skipped; nothing is changed then, on no owner
  /// @throws dev.tensorbus.rpc.RpcException if an owner fails
  public void step(DistContext context) {
    requireGradients(context);
    boolean _ = rpc.span(STEP, () -> stepIfFinite(context));
  }

  private boolean stepIfFinite(DistContext context) {
    if (owners.size() == 1) {
      List<OptimizerSpec> specs = Owner.specs(groups);
      return mayStep(
          onAll(owner -> owner.ask().rpcAsync(OwnerOptimizer::stepIfFinite, context.id(), specs)));
    }
    boolean areFinite = areFinite(context);
    if (areFinite) {
      step(context, GradientChange.NONE);
    }
    return areFinite;
  }

  /// Does so by gradients that are clipped, alike on all owners: one round trip asks for their
  /// norms, one steps.
  ///
  /// @return the norm of all gradients before
  /// @throws IllegalStateException if no backward pass has run in the context
  /// @throws NonFiniteGradientException if a gradient is not finite, unless such steps are
  ///     skipped; nothing is changed then, on no owner
  /// @throws dev.tensorbus.rpc.RpcException if an owner fails
  public double step(DistContext context, Clipping clipping) {
    requireGradients(context);
    return rpc.span(STEP, () -> clippedStep(context, clipping));
  }

  private static void requireGradients(DistContext context) {
    if (!context.hasGradients()) {
      throw new IllegalStateException(
          "step: no backward pass has run in autograd context %d; call context.backward(loss) before"
                  .formatted(context.id())
              + " it (loss.backward() leaves gradients in the tensors, not in the context)");
    }
  }

  private double clippedStep(DistContext context, Clipping clipping) {
    double norm = clipping.total(norms(context, clipping.normType()));
    // A finite norm comes of finite gradients, so they are not read again.
    if (Double.isFinite(norm) || areFinite(context)) {
      step(context, clipping.change(norm));
    }
    return norm;
  }

  private void step(DistContext context, GradientChange change) {
    List<OptimizerSpec> specs = Owner.specs(groups);
    onAll(owner -> owner.ask().rpcAsync(OwnerOptimizer::step, context.id(), specs, change));
  }

  private boolean areFinite(DistContext context) {
    return mayStep(onAll(owner -> owner.ask().rpcAsync(OwnerOptimizer::nonFinite, context.id())));
  }

  /// @param problems what each owner says of its gradients: nothing if they are finite
  private boolean mayStep(List<String> problems) {
    for (int i = 0; i < owners.size(); i++) {
      String problem = problems.get(i);
      if (!problem.isEmpty()) {
        refuse(problem + " on " + owners.get(i).optimizer().owner().name());
        return false;
      }
    }
    return true;
  }

  private void refuse(String problem) {
    if (errorIfNonFinite) {
      throw new NonFiniteGradientException(problem);
    }
    skippedSteps.incrementAndGet();
  }

  /// The norm of each gradient, in the order of the parameters. The owners do not matter, so the
  /// sum is the same for every placement.
  private double[] norms(DistContext context, double normType) {
    return inOrder(owner -> owner.ask().rpcAsync(OwnerOptimizer::norms, context.id(), normType))
        .stream()
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  /// The present state of all owners, in the order of the parameters: the same for every placement.
  /// Call it between steps. Waits; not for event loops.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if an owner fails
  public OptimizerState state() {
    Iterator<OptimizerState.Memory> memories =
        inOrder(owner -> owner.ask().rpcAsync(OwnerOptimizer::memories)).iterator();
    return new OptimizerState(
        groups.stream()
            .map(
                group ->
                    OptimizerState.Group.of(
                        group, group.parameters().stream().map(_ -> memories.next()).toList()))
            .toList());
  }

  /// Goes on from there, with the settings of then, whoever owned the parameters. Waits; not for
  /// event loops.
  ///
  /// @throws IllegalArgumentException if it is the state of an optimizer with other groups or
  ///     parameters; nothing is changed then
  /// @throws dev.tensorbus.rpc.RpcException if an owner fails
  public void load(OptimizerState state) {
    requireFit(state);
    onAll(owner -> owner.ask().rpcAsync(OwnerOptimizer::load, owner.share(state)));
    for (int i = 0; i < groups.size(); i++) {
      state.groups().get(i).load(groups.get(i));
    }
  }

  /// Checks that it can go on from there. Waits; not for event loops.
  ///
  /// @throws IllegalArgumentException if not, naming the first group or parameter that differs
  /// @throws dev.tensorbus.rpc.RpcException if an owner fails
  public void requireFit(OptimizerState state) {
    state.requireFit(
        Owner.specs(groups), inOrder(owner -> owner.ask().rpcAsync(OwnerOptimizer::kinds)));
  }

  private <T> List<T> inOrder(Function<Owner, Future<List<T>>> call) {
    return Owner.inOrder(owners, onAll(call));
  }

  private <R> List<R> onAll(Function<Owner, Future<R>> call) {
    return rpc.waitAll(owners.stream().map(call).toList());
  }
}
