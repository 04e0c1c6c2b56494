// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Parameters that are updated by the same settings, which may change between steps:
/// learning-rate schedules do so. After the entries of torch's `param_groups`.
///
/// @param <P> the parameters, or references to them
public final class ParameterGroup<P> {
  private final List<P> parameters;
  private volatile OptimizerSpec spec;
  private volatile @Nullable OptimizerSpec initial;

  /// A group with these settings.
  public ParameterGroup(OptimizerSpec spec, Collection<? extends P> parameters) {
    this.spec = spec;
    this.parameters = List.copyOf(parameters);
  }

  /// The parameters, or references to them.
  public List<P> parameters() {
    return parameters;
  }

  /// The settings by which the next step goes.
  public OptimizerSpec spec() {
    return spec;
  }

  /// Lets the following steps go by these settings, of the same optimizer.
  ///
  /// @throws IllegalArgumentException if they are another optimizer's
  public void set(OptimizerSpec changed) {
    requireSameOptimizer(changed);
    spec = changed;
  }

  private void requireSameOptimizer(OptimizerSpec other) {
    if (other.getClass() != spec.getClass()) {
      throw new IllegalArgumentException(
          "optimizer: %s does not go on with the state of %s; make a new optimizer"
              .formatted(SettingChecks.name(other), SettingChecks.name(spec)));
    }
  }

  /// The settings before the first schedule changed them, from which all schedules compute; null
  /// before there is a schedule. After torch's `initial_lr`.
  public @Nullable OptimizerSpec initial() {
    return initial;
  }

  /// Sets the settings from which schedules compute: a schedule does so, and who restores them.
  ///
  /// @throws IllegalArgumentException if they are another optimizer's
  public void setInitial(@Nullable OptimizerSpec initial) {
    if (initial != null) {
      requireSameOptimizer(initial);
    }
    this.initial = initial;
  }

  /// How far the next step goes.
  public double learningRate() {
    return spec.learningRate();
  }

  /// Lets the following steps go so far.
  public void setLearningRate(double learningRate) {
    set(spec.withLearningRate(learningRate));
  }
}
