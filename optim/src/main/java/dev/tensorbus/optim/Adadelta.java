// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// Steps as far as the root of the running mean of the last steps' squares, over that of the
/// gradients' squares: no rate has to be found. After `torch.optim.Adadelta` (Zeiler, "ADADELTA:
/// An Adaptive Learning Rate Method").
///
/// @param learningRate how far a step goes; torch's is 1
/// @param rho how much of the means stays
/// @param eps what is added to the squares
/// @param weightDecay how strongly values are pulled to zero, by way of the gradient
/// @param maximize whether the loss is to become great, not small
public record Adadelta(
    double learningRate, double rho, double eps, double weightDecay, boolean maximize)
    implements OptimizerSpec {
  private static final String SQUARES = "square_avg";
  private static final String STEPS = "acc_delta";

  /// Checks the settings.
  ///
  /// @throws IllegalArgumentException if one is out of range
  public Adadelta {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.require(rho >= 0 && rho <= 1, this, "rho", rho, "must be in [0, 1]");
    SettingChecks.requireNotNegative(this, "eps", eps);
    SettingChecks.requireNotNegative(this, "weight decay", weightDecay);
  }

  /// At this rate, otherwise as torch has it.
  public Adadelta(double learningRate) {
    this(learningRate, 0.9, 1e-6, 0, false);
  }

  @Override
  public Adadelta withLearningRate(double learningRate) {
    return new Adadelta(learningRate, rho, eps, weightDecay, maximize);
  }

  /// The same with this share of the means.
  public Adadelta withRho(double rho) {
    return new Adadelta(learningRate, rho, eps, weightDecay, maximize);
  }

  /// The same with this added to the squares.
  public Adadelta withEps(double eps) {
    return new Adadelta(learningRate, rho, eps, weightDecay, maximize);
  }

  /// The same with this weight decay.
  public Adadelta withWeightDecay(double weightDecay) {
    return new Adadelta(learningRate, rho, eps, weightDecay, maximize);
  }

  /// The same towards a great loss, or a small one.
  public Adadelta withMaximize(boolean maximize) {
    return new Adadelta(learningRate, rho, eps, weightDecay, maximize);
  }

  @Override
  public Map<String, Double> memory() {
    return Map.of(SQUARES, 0.0, STEPS, 0.0);
  }

  @Override
  public UpdateRule rule(long step) {
    return blocks -> {
      Block d = blocks.descent(maximize, weightDecay);
      Block squares = blocks.state(SQUARES).mul(rho).addcmul(d, d, 1 - rho);
      Block root = blocks.scratch(0, squares).add(eps).sqrt();
      Block steps = blocks.state(STEPS);
      Block delta = blocks.scratch(1, steps).add(eps).sqrt().divBy(root).mulBy(d);
      steps.mul(rho).addcmul(delta, delta, 1 - rho);
      blocks.values().addScaled(delta, -learningRate);
    };
  }
}
