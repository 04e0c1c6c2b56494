// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Gives parameters new values from their gradients, and keeps the state of doing so. After
/// `torch.optim.Optimizer`; made by [OptimizerSpec#over].
///
/// A parameter gets a new version of its values, whole or not at all. Any number of threads and of
/// optimizers may step on the same parameters at once: the steps on one parameter follow one
/// another, each from the values that the one before left.
public final class Optimizer {
  private final Map<Tensor, UpdateRule> rules = new LinkedHashMap<>();

  Optimizer(OptimizerSpec spec, Collection<Tensor> parameters) {
    if (parameters.isEmpty()) {
      throw new IllegalArgumentException("optimizer: given no parameters, so nothing to learn");
    }
    for (Tensor parameter : parameters) {
      requireLeaf(parameter);
      if (rules.put(parameter, spec.rule(parameter.shape().elements())) != null) {
        throw new IllegalArgumentException(
            "optimizer: a parameter " + parameter.shape() + " is given twice");
      }
    }
  }

  private static void requireLeaf(Tensor parameter) {
    if (!parameter.isLeaf() || !parameter.requiresGrad()) {
      throw new IllegalArgumentException(
          "optimizer: a tensor %s %s; give it what Tensor.parameter or a layer made"
              .formatted(
                  parameter.shape(),
                  parameter.isLeaf() ? "does not require a gradient" : "was computed from others"));
    }
  }

  /// What it updates.
  public List<Tensor> parameters() {
    return List.copyOf(rules.keySet());
  }

  /// Updates each parameter by what [Tensor#backward] has summed up in its [Tensor#grad].
  public void step() {
    step(Tensor::grad);
  }

  /// Updates each parameter by a gradient that is kept elsewhere, such as in the context of a
  /// distributed backward pass: `optimizer.step(gradients::get)`.
  ///
  /// @param gradients gives a parameter's gradient; null leaves the parameter and its state alone
  /// @throws ShapeException if a gradient has another shape than its parameter
  public void step(Function<? super Tensor, ? extends @Nullable Tensor> gradients) {
    rules.forEach(
        (parameter, rule) -> {
          Tensor gradient = gradients.apply(parameter);
          if (gradient != null) {
            update(parameter, rule, gradient);
          }
        });
  }

  private static void update(Tensor parameter, UpdateRule rule, Tensor gradient) {
    if (!gradient.shape().equals(parameter.shape())) {
      throw new ShapeException(
          "step", "gradient " + gradient.shape() + " does not fit parameter " + parameter.shape());
    }
    parameter.update(values -> rule.next(values, gradient.values()));
  }

  /// Forgets the gradient of each parameter.
  public void zeroGrad() {
    rules.keySet().forEach(Tensor::zeroGrad);
  }
}
