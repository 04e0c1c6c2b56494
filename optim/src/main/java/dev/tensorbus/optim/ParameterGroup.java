// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Parameters that share settings, which may change between steps, such as by a learning-rate
/// schedule. After the entries of torch's `param_groups`.
///
/// @param <P> parameters, or references to them
public final class ParameterGroup<P> {
  private final List<P> parameters;
  private volatile OptimizerSpec spec;
  private volatile @Nullable OptimizerSpec initial;

  /// Creates a group.
  public ParameterGroup(OptimizerSpec spec, Collection<? extends P> parameters) {
    this.spec = spec;
    this.parameters = List.copyOf(parameters);
  }

  /// Returns the parameters, or references to them.
  public List<P> parameters() {
    return parameters;
  }

  /// Returns the settings of the next step.
  public OptimizerSpec spec() {
    return spec;
  }

  /// Sets the settings of the next steps.
  ///
  /// @throws IllegalArgumentException if they belong to another optimizer
  public void set(OptimizerSpec changed) {
    requireSameOptimizer(changed);
    spec = changed;
  }

  private void requireSameOptimizer(OptimizerSpec other) {
    if (other.getClass() != spec.getClass()) {
      throw new IllegalArgumentException(
          "optimizer: %s cannot use the state of %s; create a new optimizer"
              .formatted(SettingChecks.name(other), SettingChecks.name(spec)));
    }
  }

  /// Returns the settings before the first schedule changed them, from which all schedules compute;
  /// null without a schedule. Like torch's `initial_lr`.
  public @Nullable OptimizerSpec initial() {
    return initial;
  }

  /// Sets the initial settings. Called by schedules and when state is restored.
  ///
  /// @throws IllegalArgumentException if they belong to another optimizer
  public void setInitial(@Nullable OptimizerSpec initial) {
    if (initial != null) {
      requireSameOptimizer(initial);
    }
    this.initial = initial;
  }

  /// Returns the learning rate of the next step.
  public double learningRate() {
    return spec.learningRate();
  }

  /// Sets the learning rate of the next steps.
  public void setLearningRate(double learningRate) {
    set(spec.withLearningRate(learningRate));
  }
}
