// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Parameters that share settings. The settings may change between steps, for example when a
/// schedule changes the learning rate. Like an entry of torch's `param_groups`.
///
/// @param <P> the type of the parameters: tensors, or references to tensors
public final class ParameterGroup<P> {
  private final List<P> parameters;
  private volatile OptimizerSpec spec;
  private volatile @Nullable OptimizerSpec initial;

  /// Creates a group.
  public ParameterGroup(OptimizerSpec spec, Collection<? extends P> parameters) {
    this.spec = spec;
    this.parameters = List.copyOf(parameters);
  }

  /// Returns the parameters.
  public List<P> parameters() {
    return parameters;
  }

  /// Returns the settings for the next step.
  public OptimizerSpec spec() {
    return spec;
  }

  /// Sets the settings for the following steps.
  ///
  /// @throws IllegalArgumentException if they are settings of a different optimizer class
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

  /// Returns the settings from before any schedule changed them, or null if there is no schedule.
  /// All schedules start from these settings. Like torch's `initial_lr`.
  public @Nullable OptimizerSpec initial() {
    return initial;
  }

  /// Sets the initial settings. Called by schedules and when a state is restored.
  ///
  /// @throws IllegalArgumentException if they are settings of a different optimizer class
  public void setInitial(@Nullable OptimizerSpec initial) {
    if (initial != null) {
      requireSameOptimizer(initial);
    }
    this.initial = initial;
  }

  /// Returns the learning rate for the next step.
  public double learningRate() {
    return spec.learningRate();
  }

  /// Sets the learning rate for the following steps.
  public void setLearningRate(double learningRate) {
    set(spec.withLearningRate(learningRate));
  }
}
