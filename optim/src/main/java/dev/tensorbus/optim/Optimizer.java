// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.update.GradientChange;
import dev.tensorbus.optim.update.GradientNorms;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Updates parameters with their gradients and holds the optimizer state. Like
/// `torch.optim.Optimizer`. Create one with [OptimizerSpec#over], or from groups with separate
/// settings.
///
/// Each update of a parameter is atomic. Any number of threads and optimizers may step the same
/// parameters concurrently: updates of one parameter run one after another, each on the result of
/// the previous one. [Frozen][Tensor#requiresGrad(boolean)] parameters do not change.
///
/// A step with a non-finite gradient changes nothing. The step either throws or is
/// [skipped][#setErrorIfNonFinite].
public final class Optimizer {
  private final List<ParameterGroup<Tensor>> groups;
  private final Map<Tensor, ParameterState> states = new LinkedHashMap<>();
  private final AtomicLong skippedSteps = new AtomicLong();
  private volatile boolean errorIfNonFinite = true;

  /// Creates an optimizer whose state is empty.
  ///
  /// @throws IllegalArgumentException if there are no parameters, or one is a duplicate, not a leaf
  ///     or not of a floating-point type
  public Optimizer(Collection<ParameterGroup<Tensor>> groups) {
    this.groups = List.copyOf(groups);
    this.groups.forEach(group -> group.parameters().forEach(this::add));
    if (states.isEmpty()) {
      throw new IllegalArgumentException("optimizer: no parameters; pass at least one");
    }
  }

  private void add(Tensor parameter) {
    if (!parameter.isLeaf()) {
      throw new IllegalArgumentException(
          "optimizer: a tensor %s is not a leaf; use a Tensor.parameter or a layer's"
                  .formatted(parameter.shape())
              + " parameter");
    }
    if (!parameter.dtype().isFloating()) {
      throw new IllegalArgumentException(
          "optimizer: a tensor %s %s cannot be a parameter; expected float32 or float64"
              .formatted(parameter.dtype(), parameter.shape()));
    }
    if (states.put(parameter, new ParameterState(parameter)) != null) {
      throw new IllegalArgumentException(
          "optimizer: a parameter " + parameter.shape() + " is given twice");
    }
  }

  /// Returns the parameter groups with their current settings.
  public List<ParameterGroup<Tensor>> groups() {
    return groups;
  }

  /// Returns all parameters of this optimizer.
  public List<Tensor> parameters() {
    return List.copyOf(states.keySet());
  }

  /// Sets whether a step with a non-finite gradient throws (the default) or is skipped and
  /// [counted][#skippedSteps]. In torch, `clip_grad_norm_` with `error_if_nonfinite` throws, and
  /// `torch.cuda.amp.GradScaler` skips the step.
  ///
  /// @return this optimizer
  public Optimizer setErrorIfNonFinite(boolean errorIfNonFinite) {
    this.errorIfNonFinite = errorIfNonFinite;
    return this;
  }

  /// Returns the number of steps skipped because of non-finite gradients.
  public long skippedSteps() {
    return skippedSteps.get();
  }

  /// Updates each parameter with its [Tensor#grad], as accumulated by [Tensor#backward].
  ///
  /// @throws NonFiniteGradientException if a gradient is not finite and such steps are not skipped;
  ///     in that case nothing is changed
  public void step() {
    step(Tensor::grad);
  }

  /// Updates each parameter with its clipped gradient.
  ///
  /// @return the total norm of the gradients before clipping
  /// @throws NonFiniteGradientException if a gradient is not finite and such steps are not skipped;
  ///     in that case nothing is changed
  public double step(Clipping clipping) {
    double norm = clipping.total(norms(Tensor::grad, clipping.normType()));
    // A finite norm implies finite gradients, so they are not checked again.
    if (Double.isFinite(norm) || mayStep(nonFinite(Tensor::grad))) {
      step(Tensor::grad, clipping.change(norm));
    }
    return norm;
  }

  /// Updates each parameter with a gradient that is stored elsewhere, such as in the context of a
  /// distributed backward pass: `optimizer.step(gradients::get)`.
  ///
  /// @param gradients returns the gradient of a parameter, or null to leave the parameter and its
  ///     state unchanged
  /// @throws ShapeException if a gradient's shape or type differs from its parameter's
  /// @throws NonFiniteGradientException if a gradient is not finite and such steps are not skipped;
  ///     in that case nothing is changed
  public void step(Function<? super Tensor, ? extends @Nullable Tensor> gradients) {
    if (mayStep(nonFinite(gradients))) {
      step(gradients, GradientChange.NONE);
    }
  }

  /// Applies `change` to each gradient, then updates the parameters. A [Clipping] computes the
  /// change from the norms on all workers. Call [#nonFinite] first: this method does not check the
  /// gradients.
  ///
  /// @param gradients returns the gradient of a parameter, or null to leave the parameter and its
  ///     state unchanged
  /// @throws ShapeException if a gradient's shape or type differs from its parameter's
  public void step(
      Function<? super Tensor, ? extends @Nullable Tensor> gradients, GradientChange change) {
    Update.runAll(updates(listed(gradients), _ -> change));
  }

  /// Updates each parameter with the mean of several gradients, for example from several trainers.
  /// Adds the gradients in order, in the same pass over memory as the update.
  ///
  /// @param gradients lists with one gradient per unfrozen parameter, in the order of
  ///     [#parameters]; an empty collection changes nothing
  /// @throws ShapeException if a list does not [fit][#requireFit(List)]
  /// @throws NonFiniteGradientException if a gradient is not finite and such steps are not skipped;
  ///     in that case nothing is changed
  public void stepByMean(Collection<? extends List<Tensor>> gradients) {
    gradients.forEach(this::requireFit);
    List<Tensor> parameters = learned();
    Map<Tensor, List<Tensor>> byParameter = new HashMap<>();
    for (int i = 0; i < parameters.size(); i++) {
      int place = i;
      byParameter.put(parameters.get(i), gradients.stream().map(list -> list.get(place)).toList());
    }
    List<Update> updates =
        updates(
            byParameter::get, count -> new GradientChange(1.0 / count, Double.POSITIVE_INFINITY));
    if (mayStep(nonFinite(updates))) {
      Update.runAll(updates);
    }
  }

  private List<Tensor> learned() {
    return states.keySet().stream().filter(Tensor::requiresGrad).toList();
  }

  /// Checks that there is one gradient per unfrozen parameter, with the parameter's shape and type.
  ///
  /// @throws ShapeException if the gradients do not match the parameters
  public void requireFit(List<Tensor> gradients) {
    List<Tensor> parameters = learned();
    boolean fits =
        gradients.size() == parameters.size()
            && IntStream.range(0, gradients.size())
                .allMatch(i -> stateOf(parameters.get(i)).fits(gradients.get(i)));
    if (!fits) {
      throw new ShapeException(
          "step",
          "gradients %s do not fit parameters %s".formatted(kinds(gradients), kinds(parameters)));
    }
  }

  private static List<String> kinds(List<Tensor> tensors) {
    return tensors.stream().map(OptimizerState::kind).toList();
  }

  /// Describes the first non-finite value in the gradients, with its parameter and index. Returns
  /// null if all gradients are finite.
  ///
  /// @param gradients returns a parameter's gradient, or null
  public @Nullable String nonFinite(
      Function<? super Tensor, ? extends @Nullable Tensor> gradients) {
    return nonFinite(updates(listed(gradients), _ -> GradientChange.NONE));
  }

  private @Nullable String nonFinite(List<Update> updates) {
    Update first = Update.firstNonFinite(updates);
    return first == null ? null : first.nonFinite(parameters().indexOf(first.parameter()));
  }

  private boolean mayStep(@Nullable String problem) {
    if (problem == null) {
      return true;
    }
    if (errorIfNonFinite) {
      throw new NonFiniteGradientException(problem);
    }
    skippedSteps.incrementAndGet();
    return false;
  }

  private static Function<Tensor, List<Tensor>> listed(
      Function<? super Tensor, ? extends @Nullable Tensor> gradients) {
    return parameter -> {
      Tensor gradient = gradients.apply(parameter);
      return gradient == null ? List.of() : List.of(gradient);
    };
  }

  /// Returns the updates of the unfrozen parameters that have gradients.
  private List<Update> updates(
      Function<? super Tensor, ? extends List<Tensor>> gradients,
      IntFunction<GradientChange> change) {
    List<Update> updates = new ArrayList<>();
    forEach(
        (spec, parameter) -> {
          List<Tensor> given = parameter.requiresGrad() ? gradients.apply(parameter) : List.of();
          if (!given.isEmpty()) {
            given.forEach(stateOf(parameter)::requireFit);
            updates.add(new Update(stateOf(parameter), spec, given, change.apply(given.size())));
          }
        });
    return updates;
  }

  /// Calls `action` with the settings and the state of each unfrozen parameter, in order.
  void forEachLearned(BiConsumer<OptimizerSpec, ParameterState> action) {
    forEach(
        (spec, parameter) -> {
          if (parameter.requiresGrad()) {
            action.accept(spec, stateOf(parameter));
          }
        });
  }

  private void forEach(BiConsumer<OptimizerSpec, Tensor> action) {
    for (ParameterGroup<Tensor> group : groups) {
      OptimizerSpec spec = group.spec();
      group.parameters().forEach(parameter -> action.accept(spec, parameter));
    }
  }

  /// Returns the norm of each gradient, in the order of [#parameters]; 0 for a missing gradient.
  ///
  /// @param normType order of the norm, as in [Clipping]
  public double[] norms(
      Function<? super Tensor, ? extends @Nullable Tensor> gradients, double normType) {
    return states.keySet().stream()
        .mapToDouble(parameter -> norm(parameter, gradients, normType))
        .toArray();
  }

  private static double norm(
      Tensor parameter,
      Function<? super Tensor, ? extends @Nullable Tensor> gradients,
      double normType) {
    Tensor gradient = parameter.requiresGrad() ? gradients.apply(parameter) : null;
    return gradient == null ? 0 : GradientNorms.of(gradient, normType);
  }

  /// Clears the gradients of all parameters.
  public void zeroGrad() {
    states.keySet().forEach(Tensor::zeroGrad);
  }

  /// Returns the current state. Call it between steps: during a step, it would mix state from
  /// before and after the step.
  public OptimizerState state() {
    return new OptimizerState(
        groups.stream()
            .map(
                group ->
                    OptimizerState.Group.of(
                        group, group.parameters().stream().map(p -> stateOf(p).state()).toList()))
            .toList());
  }

  /// Restores a saved state, including the hyperparameters.
  ///
  /// @throws IllegalArgumentException if the state belongs to an optimizer with different groups or
  ///     parameters; in that case nothing is changed
  public void load(OptimizerState state) {
    requireFit(state);
    for (int i = 0; i < groups.size(); i++) {
      ParameterGroup<Tensor> group = groups.get(i);
      OptimizerState.Group loaded = state.groups().get(i);
      loaded.load(group);
      for (int j = 0; j < group.parameters().size(); j++) {
        stateOf(group.parameters().get(j)).load(loaded.memories().get(j));
      }
    }
  }

  /// Checks that this optimizer can load a state.
  ///
  /// @throws IllegalArgumentException if it cannot; the message names the first group or parameter
  ///     that differs
  public void requireFit(OptimizerState state) {
    state.requireFit(groups.stream().map(ParameterGroup::spec).toList(), kinds(parameters()));
  }

  private ParameterState stateOf(Tensor parameter) {
    return Objects.requireNonNull(states.get(parameter));
  }
}
