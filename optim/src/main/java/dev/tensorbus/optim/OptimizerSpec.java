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

  /// Creates an optimizer of these parameters, without state.
  ///
  /// @throws IllegalArgumentException if there are no parameters, or one is a duplicate or not a
  ///     leaf
  default Optimizer over(Collection<Tensor> parameters) {
    return new Optimizer(List.of(new ParameterGroup<>(this, parameters)));
  }

  /// Returns the optimizer state per value: torch's name of each, and its initial number.
  Map<String, Double> memory();

  /// Returns the update rule of a step.
  ///
  /// @param step number of this parameter's step, from 1
  UpdateRule rule(long step);

  /// Returns the update rule of a step with a [sparse gradient][dev.tensorbus.autograd.SparseRows],
  /// which is applied to the gradient's rows only. Null if all rows change by [#rule].
  ///
  /// @param step number of this parameter's step, from 1
  /// @throws IllegalArgumentException if the optimizer does not support sparse gradients
  default @Nullable UpdateRule rowRule(long step) {
    throw new IllegalArgumentException(
        "%s: does not support sparse gradients; use SparseAdam, Adagrad or Sgd, or an embedding"
                .formatted(SettingChecks.name(this))
            + " without withSparse(true)");
  }
}
