// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

/// Settings of an optimizer with momentum, which schedules may change too.
public interface MomentumSpec extends OptimizerSpec {
  /// Returns the momentum; `beta1` for Adam and its variants.
  double momentum();

  /// Returns a copy with another momentum.
  MomentumSpec withMomentum(double momentum);

  @Override
  MomentumSpec withLearningRate(double learningRate);
}
