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

/// Gives parameters new values from their gradients, and keeps the state of doing so. After
/// `torch.optim.Optimizer`; made by [OptimizerSpec#over], or of groups with settings of their
/// own.
///
/// A parameter gets a new version of its values, whole or not at all. Any number of threads and
/// of optimizers may step on the same parameters at once: the steps on one parameter follow one
/// another, each from the values that the one before left. A
/// [frozen][Tensor#requiresGrad(boolean)] parameter stays as it is.
///
/// A step by a gradient that is not finite changes nothing and is an error, or is
/// [skipped][#setErrorIfNonFinite].
public final class Optimizer {
  private final List<ParameterGroup<Tensor>> groups;
  private final Map<Tensor, ParameterState> states = new LinkedHashMap<>();
  private final AtomicLong skippedSteps = new AtomicLong();
  private volatile boolean errorIfNonFinite = true;

  /// An optimizer with no state from earlier steps.
  ///
  /// @throws IllegalArgumentException if there are no parameters, one is there twice, or others
  ///     computed one
  public Optimizer(Collection<ParameterGroup<Tensor>> groups) {
    this.groups = List.copyOf(groups);
    this.groups.forEach(group -> group.parameters().forEach(this::add));
    if (states.isEmpty()) {
      throw new IllegalArgumentException("optimizer: given no parameters, so nothing to learn");
    }
  }

  private void add(Tensor parameter) {
    if (!parameter.isLeaf()) {
      throw new IllegalArgumentException(
          "optimizer: a tensor %s was computed from others; give it what Tensor.parameter or a"
                  .formatted(parameter.shape())
              + " layer made");
    }
    if (!parameter.dtype().isFloating()) {
      throw new IllegalArgumentException(
          "optimizer: a tensor %s %s is no parameter; give it float32 or float64 values"
              .formatted(parameter.dtype(), parameter.shape()));
    }
    if (states.put(parameter, new ParameterState(parameter)) != null) {
      throw new IllegalArgumentException(
          "optimizer: a parameter " + parameter.shape() + " is given twice");
    }
  }

  /// The parameters with their present settings.
  public List<ParameterGroup<Tensor>> groups() {
    return groups;
  }

  /// The parameters that it updates.
  public List<Tensor> parameters() {
    return List.copyOf(states.keySet());
  }

  /// Makes a step by a gradient that is not finite an error, which is the default, or skips and
  /// [counts][#skippedSteps] it. After the argument `error_if_nonfinite` of
  /// `torch.nn.utils.clip_grad_norm_`, and `torch.cuda.amp.GradScaler`, which skips such steps.
  ///
  /// @return this optimizer
  public Optimizer setErrorIfNonFinite(boolean errorIfNonFinite) {
    this.errorIfNonFinite = errorIfNonFinite;
    return this;
  }

  /// How many steps were skipped for gradients that are not finite.
  public long skippedSteps() {
    return skippedSteps.get();
  }

  /// Updates each parameter by what [Tensor#backward] has summed up in its [Tensor#grad].
  ///
  /// @throws NonFiniteGradientException if one is not finite, unless such steps are skipped;
  ///     nothing is changed then
  public void step() {
    step(Tensor::grad);
  }

  /// Updates each parameter by its gradient, clipped.
  ///
  /// @return the norm of all gradients before
  /// @throws NonFiniteGradientException if one is not finite, unless such steps are skipped;
  ///     nothing is changed then
  public double step(Clipping clipping) {
    double norm = clipping.total(norms(Tensor::grad, clipping.normType()));
    // A finite norm comes of finite gradients, so they are not read again.
    if (Double.isFinite(norm) || mayStep(nonFinite(Tensor::grad))) {
      step(Tensor::grad, clipping.change(norm));
    }
    return norm;
  }

  /// Updates each parameter by a gradient that is kept elsewhere, such as in the context of a
  /// distributed backward pass: `optimizer.step(gradients::get)`.
  ///
  /// @param gradients gives a parameter's gradient; null leaves the parameter and its state alone
  /// @throws ShapeException if a gradient has another shape or type than its parameter
  /// @throws NonFiniteGradientException if one is not finite, unless such steps are skipped;
  ///     nothing is changed then
  public void step(Function<? super Tensor, ? extends @Nullable Tensor> gradients) {
    if (mayStep(nonFinite(gradients))) {
      step(gradients, GradientChange.NONE);
    }
  }

  /// Updates each parameter by its gradient after this change, which a [Clipping] by all workers'
  /// norms gives. Ask [#nonFinite] first: this method does not.
  ///
  /// @param gradients gives a parameter's gradient; null leaves the parameter and its state alone
  /// @throws ShapeException if a gradient has another shape or type than its parameter
  public void step(
      Function<? super Tensor, ? extends @Nullable Tensor> gradients, GradientChange change) {
    Update.runAll(updates(listed(gradients), _ -> change));
  }

  /// Updates the parameters by the mean of several lists of gradients, such as those of trainers
  /// that learned from a batch each. They are added in their order, in one pass with the step.
  ///
  /// @param gradients lists with one gradient for each of the [#parameters] that is not frozen;
  ///     none change nothing
  /// @throws ShapeException if a list does not [fit][#requireFit(List)]
  /// @throws NonFiniteGradientException if a gradient is not finite, unless such steps are skipped;
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

  /// Checks that there is one gradient for each of the [#parameters] that is not frozen, of its
  /// shape and type.
  ///
  /// @throws ShapeException if not
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

  /// Names the first gradient that is not finite, its parameter and the value; null if there is
  /// none.
  ///
  /// @param gradients gives a parameter's gradient, or null
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

  /// The updates of the parameters that have gradients and are not frozen.
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

  /// The norm of each gradient, 0 where there is none, in the order of [#parameters].
  ///
  /// @param normType which norm, as in [Clipping]
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

  /// Forgets the gradient of each parameter.
  public void zeroGrad() {
    states.keySet().forEach(Tensor::zeroGrad);
  }

  /// The present state. Call it between steps: a step that runs meanwhile is in it for some of the
  /// parameters.
  public OptimizerState state() {
    return new OptimizerState(
        groups.stream()
            .map(
                group ->
                    OptimizerState.Group.of(
                        group, group.parameters().stream().map(p -> stateOf(p).state()).toList()))
            .toList());
  }

  /// Goes on from there, with the settings of then.
  ///
  /// @throws IllegalArgumentException if it is the state of an optimizer with other groups or
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

  /// Checks that it can go on from there.
  ///
  /// @throws IllegalArgumentException if not, naming the first group or parameter that differs
  public void requireFit(OptimizerState state) {
    state.requireFit(groups.stream().map(ParameterGroup::spec).toList(), kinds(parameters()));
  }

  private ParameterState stateOf(Tensor parameter) {
    return Objects.requireNonNull(states.get(parameter));
  }
}
