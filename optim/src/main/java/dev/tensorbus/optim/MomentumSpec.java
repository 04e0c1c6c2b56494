// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

/// Settings of an optimizer that has a momentum, which schedules may change as well.
public interface MomentumSpec extends OptimizerSpec {
  /// How much of the direction of the last step stays; in Adam and its kin, `beta1`.
  double momentum();

  /// The same with this momentum.
  MomentumSpec withMomentum(double momentum);

  @Override
  MomentumSpec withLearningRate(double learningRate);
}
