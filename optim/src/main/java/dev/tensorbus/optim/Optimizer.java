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

/// Updates parameters by their gradients, and keeps the optimizer state. Like
/// `torch.optim.Optimizer`. Created by [OptimizerSpec#over], or from groups with separate settings.
///
/// Each update of a parameter is atomic. Any number of threads and optimizers may step the same
/// parameters concurrently: updates of one parameter run one after another, each on the result of
/// the last. [Frozen][Tensor#requiresGrad(boolean)] parameters do not change.
///
/// A step with a non-finite gradient changes nothing. It throws, or is
/// [skipped][#setErrorIfNonFinite].
public final class Optimizer {
  private final List<ParameterGroup<Tensor>> groups;
  private final Map<Tensor, ParameterState> states = new LinkedHashMap<>();
  private final AtomicLong skippedSteps = new AtomicLong();
  private volatile boolean errorIfNonFinite = true;

  /// Creates an optimizer without state.
  ///
  /// @throws IllegalArgumentException if there are no parameters, or one is a duplicate or not a
  ///     leaf
  public Optimizer(Collection<ParameterGroup<Tensor>> groups) {
    this.groups = List.copyOf(groups);
    this.groups.forEach(group -> group.parameters().forEach(this::add));
    if (states.isEmpty()) {
      throw new IllegalArgumentException("optimizer: no parameters; give at least one");
    }
  }

  private void add(Tensor parameter) {
    if (!parameter.isLeaf()) {
      throw new IllegalArgumentException(
          "optimizer: a tensor %s is computed from others; give a Tensor.parameter or a layer's"
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

  /// Returns the parameters with their current settings.
  public List<ParameterGroup<Tensor>> groups() {
    return groups;
  }

  /// Returns all parameters of this optimizer.
  public List<Tensor> parameters() {
    return List.copyOf(states.keySet());
  }

  /// Sets whether a non-finite gradient throws (default), or the step is skipped and
  /// [counted][#skippedSteps]. Like the argument `error_if_nonfinite` of
  /// `torch.nn.utils.clip_grad_norm_`, and `torch.cuda.amp.GradScaler`, which skips such steps.
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

  /// Updates each parameter by its [Tensor#grad], which [Tensor#backward] has accumulated.
  ///
  /// @throws NonFiniteGradientException if a gradient is not finite and such steps are not skipped;
  ///     nothing is changed then
  public void step() {
    step(Tensor::grad);
  }

  /// Updates each parameter by its clipped gradient.
  ///
  /// @return the total norm of the gradients before clipping
  /// @throws NonFiniteGradientException if a gradient is not finite and such steps are not skipped;
  ///     nothing is changed then
  public double step(Clipping clipping) {
    double norm = clipping.total(norms(Tensor::grad, clipping.normType()));
    // A finite norm implies finite gradients, so they are not checked again.
    if (Double.isFinite(norm) || mayStep(nonFinite(Tensor::grad))) {
      step(Tensor::grad, clipping.change(norm));
    }
    return norm;
  }

  /// Updates each parameter by a gradient stored elsewhere, such as in the context of a distributed
  /// backward pass: `optimizer.step(gradients::get)`.
  ///
  /// @param gradients returns a parameter's gradient; null leaves the parameter and its state
  ///     unchanged
  /// @throws ShapeException if a gradient has another shape or type than its parameter
  /// @throws NonFiniteGradientException if a gradient is not finite and such steps are not skipped;
  ///     nothing is changed then
  public void step(Function<? super Tensor, ? extends @Nullable Tensor> gradients) {
    if (mayStep(nonFinite(gradients))) {
      step(gradients, GradientChange.NONE);
    }
  }

  /// Updates each parameter by its gradient after a change, which a [Clipping] computes from all
  /// workers' norms. Call [#nonFinite] first: this method does not check the gradients.
  ///
  /// @param gradients returns a parameter's gradient; null leaves the parameter and its state
  ///     unchanged
  /// @throws ShapeException if a gradient has another shape or type than its parameter
  public void step(
      Function<? super Tensor, ? extends @Nullable Tensor> gradients, GradientChange change) {
    Update.runAll(updates(listed(gradients), _ -> change));
  }

  /// Updates the parameters by the mean of several gradients, such as those of several trainers.
  /// Gradients are added in order, in the same pass as the update.
  ///
  /// @param gradients lists with one gradient per unfrozen parameter, in the order of
  ///     [#parameters]; no lists change nothing
  /// @throws ShapeException if a list does not [fit][#requireFit(List)]
  /// @throws NonFiniteGradientException if a gradient is not finite and such steps are not skipped;
  ///     nothing is changed then
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

  /// Checks that there is one gradient per unfrozen parameter, with its shape and type.
  ///
  /// @throws ShapeException if the gradients do not fit
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

  /// Describes the first non-finite gradient, its parameter and the value. Returns null if all
  /// gradients are finite.
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

  private void forEach(BiConsumer<OptimizerSpec, Tensor> action) {
    for (ParameterGroup<Tensor> group : groups) {
      OptimizerSpec spec = group.spec();
      group.parameters().forEach(parameter -> action.accept(spec, parameter));
    }
  }

  /// Returns the norm of each gradient in the order of [#parameters], 0 for missing gradients.
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

  /// Returns the current state. Call it between steps: the state of a concurrent step would be
  /// incomplete.
  public OptimizerState state() {
    return new OptimizerState(
        groups.stream()
            .map(
                group ->
                    OptimizerState.Group.of(
                        group, group.parameters().stream().map(p -> stateOf(p).state()).toList()))
            .toList());
  }

  /// Restores a saved state with its hyperparameters.
  ///
  /// @throws IllegalArgumentException if the state belongs to an optimizer with other groups or
  ///     parameters; nothing is changed then
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
