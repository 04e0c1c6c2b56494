// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The settings of an optimizer, without its parameters: a record that can be sent to other
/// workers.
public interface OptimizerSpec {
  /// Returns the learning rate.
  double learningRate();

  /// Returns a copy with another learning rate.
  OptimizerSpec withLearningRate(double learningRate);

  /// Creates an optimizer with empty state for these parameters.
  ///
  /// @throws IllegalArgumentException if there are no parameters, or one is a duplicate, not a leaf
  ///     or not of a floating-point type
  default Optimizer over(Collection<Tensor> parameters) {
    return new Optimizer(List.of(new ParameterGroup<>(this, parameters)));
  }

  /// Returns the initial value of each state tensor, by its name in torch, such as `exp_avg`.
  Map<String, Double> memory();

  /// Returns the update rule of a step.
  ///
  /// @param step the parameter's step number, from 1
  UpdateRule rule(long step);

  /// Returns the update rule of a step with a [sparse gradient][dev.tensorbus.autograd.SparseRows].
  /// The rule is applied only to the rows that the gradient contains. Returns null if [#rule] must
  /// be applied to all rows.
  ///
  /// @param step the parameter's step number, from 1
  /// @throws IllegalArgumentException if the optimizer does not support sparse gradients
  default @Nullable UpdateRule rowRule(long step) {
    throw new IllegalArgumentException(
        "%s: does not support sparse gradients; use SparseAdam, Adagrad or Sgd, or an embedding"
                .formatted(SettingChecks.name(this))
            + " without withSparse(true)");
  }
}
