// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.Optimizer;
import dev.tensorbus.optim.OptimizerSpec;
import dev.tensorbus.optim.OptimizerState;
import dev.tensorbus.optim.ParameterGroup;
import dev.tensorbus.optim.update.GradientChange;
import dev.tensorbus.rpc.Execution;
import dev.tensorbus.rpc.RRef;
import dev.tensorbus.rpc.Remote;
import dev.tensorbus.rpc.autograd.DistAutograd;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.DoubleStream;

/// The optimizer on one owner of a [DistributedOptimizer]'s parameters. It has all groups, but some
/// may be empty on this owner. Several trainers may [share][DistributedOptimizer#sharing] it.
public final class OwnerOptimizer {
  private final Optimizer optimizer;

  private OwnerOptimizer(Optimizer optimizer) {
    this.optimizer = optimizer;
  }

  /// Wraps an optimizer so that all trainers of a model can share it.
  public static OwnerOptimizer of(Optimizer optimizer) {
    return new OwnerOptimizer(optimizer);
  }

  @Remote
  OwnerOptimizer(List<OptimizerSpec> specs, List<List<RRef<Tensor>>> parameters) {
    List<ParameterGroup<Tensor>> groups = new ArrayList<>();
    for (int i = 0; i < specs.size(); i++) {
      List<Tensor> local = parameters.get(i).stream().map(RRef::localValue).toList();
      groups.add(new ParameterGroup<>(specs.get(i), local));
    }
    optimizer = new Optimizer(groups);
  }

  /// Returns the norms of a context's gradients, in the order of the groups.
  @Remote(execution = Execution.ADAPTIVE)
  List<Double> norms(long context, double normType) {
    return DoubleStream.of(optimizer.norms(DistAutograd.gradients(context)::get, normType))
        .boxed()
        .toList();
  }

  /// Returns a description of the first non-finite gradient of a context, or an empty string if all
  /// are finite.
  @Remote(execution = Execution.ADAPTIVE)
  String nonFinite(long context) {
    return Objects.requireNonNullElse(
        optimizer.nonFinite(DistAutograd.gradients(context)::get), "");
  }

  /// Takes a step with a context's gradients. Synchronized, since each step sets the groups'
  /// settings first.
  @Remote(execution = Execution.ADAPTIVE)
  synchronized void step(long context, List<OptimizerSpec> specs, GradientChange change) {
    for (int i = 0; i < specs.size(); i++) {
      optimizer.groups().get(i).set(specs.get(i));
    }
    optimizer.step(DistAutograd.gradients(context)::get, change);
  }

  /// Takes a step if all gradients are finite. Returns the result of [#nonFinite].
  @Remote(execution = Execution.ADAPTIVE)
  String stepIfFinite(long context, List<OptimizerSpec> specs) {
    String problem = nonFinite(context);
    if (problem.isEmpty()) {
      step(context, specs, GradientChange.NONE);
    }
    return problem;
  }

  /// Returns the types and shapes of this owner's parameters, in the order of the groups.
  @Remote
  List<String> kinds() {
    return optimizer.parameters().stream().map(OptimizerState::kind).toList();
  }

  /// Returns the state of this owner's parameters, in the order of the groups.
  @Remote
  synchronized List<OptimizerState.Memory> memories() {
    return optimizer.state().groups().stream().flatMap(group -> group.memories().stream()).toList();
  }

  /// Restores this owner's part of a state.
  @Remote
  synchronized void load(OptimizerState state) {
    optimizer.load(state);
  }
}
