// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.update.GradientChange;
import dev.tensorbus.optim.update.GradientNorms;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Gives parameters new values from their gradients, and keeps the state of doing so. After
/// `torch.optim.Optimizer`; made by [OptimizerSpec#over], or of groups with settings of their
/// own.
///
/// A parameter gets a new version of its values, whole or not at all. Any number of threads and
/// of optimizers may step on the same parameters at once: the steps on one parameter follow one
/// another, each from the values that the one before left.
public final class Optimizer {
  private final List<ParameterGroup<Tensor>> groups;
  private final Map<Tensor, ParameterState> states = new LinkedHashMap<>();

  /// An optimizer with no state from earlier steps.
  ///
  /// @throws IllegalArgumentException if there are no parameters, one is there twice, or one is
  ///     no parameter
  public Optimizer(Collection<ParameterGroup<Tensor>> groups) {
    this.groups = List.copyOf(groups);
    this.groups.forEach(group -> group.parameters().forEach(this::add));
    if (states.isEmpty()) {
      throw new IllegalArgumentException("optimizer: given no parameters, so nothing to learn");
    }
  }

  private void add(Tensor parameter) {
    if (!parameter.isLeaf() || !parameter.requiresGrad()) {
      throw new IllegalArgumentException(
          "optimizer: a tensor %s %s; give it what Tensor.parameter or a layer made"
              .formatted(
                  parameter.shape(),
                  parameter.isLeaf() ? "does not require a gradient" : "was computed from others"));
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

  /// What it updates.
  public List<Tensor> parameters() {
    return List.copyOf(states.keySet());
  }

  /// Updates each parameter by what [Tensor#backward] has summed up in its [Tensor#grad].
  public void step() {
    step(Tensor::grad);
  }

  /// Updates each parameter by its gradient, clipped.
  ///
  /// @return the norm of all gradients before
  /// @throws ArithmeticException if that is infinite or NaN, and the clipping wants an error;
  ///     nothing is changed then
  public double step(Clipping clipping) {
    double norm = clipping.total(norms(Tensor::grad, clipping.normType()));
    step(Tensor::grad, clipping.change(norm));
    return norm;
  }

  /// Updates each parameter by a gradient that is kept elsewhere, such as in the context of a
  /// distributed backward pass: `optimizer.step(gradients::get)`.
  ///
  /// @param gradients gives a parameter's gradient; null leaves the parameter and its state alone
  /// @throws ShapeException if a gradient has another shape or type than its parameter
  public void step(Function<? super Tensor, ? extends @Nullable Tensor> gradients) {
    step(gradients, GradientChange.NONE);
  }

  /// Does so by gradients that are changed first: what a [Clipping] of all workers' norms says.
  ///
  /// @param gradients gives a parameter's gradient; null leaves the parameter and its state alone
  /// @throws ShapeException if a gradient has another shape or type than its parameter
  public void step(
      Function<? super Tensor, ? extends @Nullable Tensor> gradients, GradientChange change) {
    List<Update> updates = new ArrayList<>();
    forEach(
        (spec, parameter) -> {
          Tensor gradient = gradients.apply(parameter);
          if (gradient != null) {
            updates.add(new Update(stateOf(parameter), spec, List.of(gradient), change));
          }
        });
    Update.runAll(updates);
  }

  /// Updates each parameter by the mean of several gradients, such as those of trainers that
  /// learned from a batch each. They are added in their order, in one pass with the step.
  ///
  /// @param gradients gives a parameter's; none leave the parameter and its state alone
  /// @throws ShapeException if a gradient has another shape or type than its parameter
  public void stepByMeans(Function<? super Tensor, ? extends List<Tensor>> gradients) {
    List<Update> updates = new ArrayList<>();
    forEach(
        (spec, parameter) -> {
          List<Tensor> given = gradients.apply(parameter);
          if (!given.isEmpty()) {
            GradientChange mean = new GradientChange(1.0 / given.size(), Double.POSITIVE_INFINITY);
            updates.add(new Update(stateOf(parameter), spec, given, mean));
          }
        });
    Update.runAll(updates);
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
        .mapToDouble(parameter -> norm(gradients.apply(parameter), normType))
        .toArray();
  }

  private static double norm(@Nullable Tensor gradient, double normType) {
    return gradient == null ? 0 : GradientNorms.of(gradient, normType);
  }

  /// Forgets the gradient of each parameter.
  public void zeroGrad() {
    states.keySet().forEach(Tensor::zeroGrad);
  }

  /// What is remembered now. Between steps: a step that runs meanwhile is in it for some of the
  /// parameters.
  public OptimizerState state() {
    return new OptimizerState(
        groups.stream()
            .map(
                group ->
                    new OptimizerState.Group(
                        group.spec(),
                        group.parameters().stream().map(p -> stateOf(p).state()).toList()))
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
      group.set(loaded.spec());
      for (int j = 0; j < group.parameters().size(); j++) {
        stateOf(group.parameters().get(j)).load(loaded.memories().get(j));
      }
    }
  }

  /// Checks that it can go on from there.
  ///
  /// @throws IllegalArgumentException if not, naming the first group or parameter that differs
  public void requireFit(OptimizerState state) {
    state.requireFit(
        groups.stream().map(ParameterGroup::spec).toList(),
        states.keySet().stream().map(OptimizerState::kind).toList());
  }

  private ParameterState stateOf(Tensor parameter) {
    return Objects.requireNonNull(states.get(parameter));
  }
}
