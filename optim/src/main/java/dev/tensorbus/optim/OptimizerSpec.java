// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Says how to turn gradients into new parameters, without the parameters: a record of settings
/// that may travel to wherever they are.
public interface OptimizerSpec {
  /// How far a step goes.
  double learningRate();

  /// The same with this learning rate.
  OptimizerSpec withLearningRate(double learningRate);

  /// Makes an optimizer for these parameters, with no state from earlier steps.
  ///
  /// @throws IllegalArgumentException if there are none, one is there twice, or others
  ///     computed one
  default Optimizer over(Collection<Tensor> parameters) {
    return new Optimizer(List.of(new ParameterGroup<>(this, parameters)));
  }

  /// The state that the optimizer keeps of each value from step to step: torch's name for it, and
  /// its number before the first step.
  Map<String, Double> memory();

  /// Makes the rule for one step.
  ///
  /// @param step of this parameter, from 1 on
  UpdateRule rule(long step);

  /// Makes the rule for one step by a [sparse gradient][dev.tensorbus.autograd.SparseRows], which
  /// sees the gradient's rows only; null if all rows change, by [#rule].
  ///
  /// @param step of this parameter, from 1 on
  /// @throws IllegalArgumentException if the optimizer does not take sparse gradients
  default @Nullable UpdateRule rowRule(long step) {
    throw new IllegalArgumentException(
        "%s: takes no sparse gradients; use SparseAdam, Adagrad or Sgd, or an embedding without"
                .formatted(SettingChecks.name(this))
            + " withSparse(true)");
  }
}
