// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

/// The settings of an optimizer with momentum. Schedules may change the momentum as well as the
/// learning rate.
public interface MomentumSpec extends OptimizerSpec {
  /// Returns the momentum; `beta1` for Adam and its variants.
  double momentum();

  /// Returns a copy with another momentum.
  MomentumSpec withMomentum(double momentum);

  @Override
  MomentumSpec withLearningRate(double learningRate);
}
