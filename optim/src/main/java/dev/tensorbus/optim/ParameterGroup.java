// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import java.util.Collection;
import java.util.List;

/// Parameters that are updated by the same settings, which may change between steps:
/// learning-rate schedules do so. After the entries of torch's `param_groups`.
///
/// @param <P> the parameters, or references to them
public final class ParameterGroup<P> {
  private final List<P> parameters;
  private volatile OptimizerSpec spec;

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
    if (changed.getClass() != spec.getClass()) {
      throw new IllegalArgumentException(
          "optimizer: %s does not go on with the state of %s; make a new optimizer"
              .formatted(SettingChecks.name(changed), SettingChecks.name(spec)));
    }
    spec = changed;
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
