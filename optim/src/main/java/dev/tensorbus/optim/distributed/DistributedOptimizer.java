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
import java.util.stream.IntStream;

/// Updates parameters on the workers that own them. Each owner's optimizer applies the gradients
/// that distributed backward passes have accumulated on this owner. Like
/// `torch.distributed.optim.DistributedOptimizer`.
///
/// Several trainers may each have an optimizer of the same parameters. An owner applies their steps
/// one after another, each to the result of the previous one.
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

  /// Creates an optimizer on each owner of these parameters, and waits for all of them. Do not call
  /// it on an event loop.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if an owner cannot create its optimizer
  public static DistributedOptimizer create(
      Rpc rpc, OptimizerSpec spec, List<RRef<Tensor>> parameters) {
    return create(rpc, List.of(new ParameterGroup<>(spec, parameters)));
  }

  /// Creates an optimizer for groups with separate settings. Settings changed with
  /// [ParameterGroup#set] are sent to all owners with the next step.
  ///
  /// @throws dev.tensorbus.rpc.RpcException if an owner cannot create its optimizer
  public static DistributedOptimizer create(
      Rpc rpc, Collection<ParameterGroup<RRef<Tensor>>> groups) {
    List<ParameterGroup<RRef<Tensor>>> ordered = List.copyOf(groups);
    List<Owner> owners = Owner.create(rpc, ordered);
    if (owners.isEmpty()) {
      throw new IllegalArgumentException("distributed optimizer: no parameters; pass at least one");
    }
    Future.all(owners.stream().map(owner -> owner.optimizer().created()).toList()).await();
    return new DistributedOptimizer(rpc, ordered, owners);
  }

  /// Creates an optimizer that uses an existing optimizer on the parameters' owner, so that all
  /// trainers of a model share one optimizer and its state.
  ///
  /// @param parameters the parameters of `optimizer`, in the same order
  public static DistributedOptimizer sharing(
      Rpc rpc, OptimizerSpec spec, List<RRef<Tensor>> parameters, RRef<OwnerOptimizer> optimizer) {
    List<Integer> places = IntStream.range(0, parameters.size()).boxed().toList();
    return new DistributedOptimizer(
        rpc,
        List.of(new ParameterGroup<>(spec, parameters)),
        List.of(new Owner(optimizer, places)));
  }

  /// Returns the parameter groups with their current settings.
  public List<ParameterGroup<RRef<Tensor>>> groups() {
    return groups;
  }

  /// Sets whether a step with a non-finite gradient throws or is skipped; see
  /// [dev.tensorbus.optim.Optimizer#setErrorIfNonFinite].
  ///
  /// @return this optimizer
  public DistributedOptimizer setErrorIfNonFinite(boolean errorIfNonFinite) {
    this.errorIfNonFinite = errorIfNonFinite;
    return this;
  }

  /// Returns the number of steps skipped because of non-finite gradients.
  public long skippedSteps() {
    return skippedSteps.get();
  }

  /// Updates the parameters on all owners in parallel, with the gradients from this context's
  /// backward passes. If there are several owners, an extra round trip first checks that all
  /// gradients are finite. Waits for all owners; do not call it on an event loop.
  ///
  /// @throws IllegalStateException if no backward pass has run in the context
  /// @throws NonFiniteGradientException if a gradient is not finite and such steps are not skipped;
  ///     in that case nothing is changed on any owner
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

  /// Updates the parameters with clipped gradients. Requires two round trips: the first collects
  /// the norms, so that all owners scale by the same factor, and the second updates the parameters.
  ///
  /// @return the total norm of the gradients before clipping
  /// @throws IllegalStateException if no backward pass has run in the context
  /// @throws NonFiniteGradientException if a gradient is not finite and such steps are not skipped;
  ///     in that case nothing is changed on any owner
  /// @throws dev.tensorbus.rpc.RpcException if an owner fails
  public double step(DistContext context, Clipping clipping) {
    requireGradients(context);
    return rpc.span(STEP, () -> clippedStep(context, clipping));
  }

  private static void requireGradients(DistContext context) {
    if (!context.hasGradients()) {
      throw new IllegalStateException(
          "step: no backward pass has run in autograd context %d; call context.backward(loss) first"
                  .formatted(context.id())
              + " (loss.backward() stores gradients in the tensors, not in the context)");
    }
  }

  private double clippedStep(DistContext context, Clipping clipping) {
    double norm = clipping.total(norms(context, clipping.normType()));
    // A finite norm implies finite gradients, so they are not checked again.
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

  /// @param problems each owner's report; empty if the owner's gradients are finite
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

  /// Returns the norm of each gradient in the order of the parameters, so that the total norm does
  /// not depend on which workers own them.
  private double[] norms(DistContext context, double normType) {
    return inOrder(owner -> owner.ask().rpcAsync(OwnerOptimizer::norms, context.id(), normType))
        .stream()
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  /// Returns the current state from all owners, in the order of the parameters, whichever workers
  /// own them. Call it between steps. Waits for the owners; do not call it on an event loop.
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

  /// Restores a saved state, including the hyperparameters, whichever workers own the parameters
  /// now. Waits for the owners; do not call it on an event loop.
  ///
  /// @throws IllegalArgumentException if the state belongs to an optimizer with different groups or
  ///     parameters; in that case nothing is changed
  /// @throws dev.tensorbus.rpc.RpcException if an owner fails
  public void load(OptimizerState state) {
    requireFit(state);
    onAll(owner -> owner.ask().rpcAsync(OwnerOptimizer::load, owner.share(state)));
    for (int i = 0; i < groups.size(); i++) {
      state.groups().get(i).load(groups.get(i));
    }
  }

  /// Checks that this optimizer can load a state. Waits for the owners; do not call it on an event
  /// loop.
  ///
  /// @throws IllegalArgumentException if it cannot; the message names the first group or parameter
  ///     that differs
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
