// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// Adadelta: divides each step by the root mean square of recent gradients and multiplies it by the
/// root mean square of recent steps, so that no learning rate needs tuning. Like
/// `torch.optim.Adadelta` (Zeiler, "ADADELTA: An Adaptive Learning Rate Method").
///
/// @param learningRate the learning rate; torch's default is 1
/// @param rho decay rate of the running means
/// @param eps term added to the running means for numerical stability
/// @param weightDecay weight decay (L2 penalty), which is added to the gradient
/// @param maximize whether to maximize the objective instead of minimizing it
public record Adadelta(
    double learningRate, double rho, double eps, double weightDecay, boolean maximize)
    implements OptimizerSpec {
  private static final String SQUARES = "square_avg";
  private static final String STEPS = "acc_delta";

  /// @throws IllegalArgumentException if a setting is out of range
  public Adadelta {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.require(rho >= 0 && rho <= 1, this, "rho", rho, "must be in [0, 1]");
    SettingChecks.requireNotNegative(this, "eps", eps);
    SettingChecks.requireNotNegative(this, "weight decay", weightDecay);
  }

  /// Creates settings with this learning rate and torch's defaults for the rest.
  public Adadelta(double learningRate) {
    this(learningRate, 0.9, 1e-6, 0, false);
  }

  @Override
  public Adadelta withLearningRate(double learningRate) {
    return new Adadelta(learningRate, rho, eps, weightDecay, maximize);
  }

  /// Returns a copy with another `rho`.
  public Adadelta withRho(double rho) {
    return new Adadelta(learningRate, rho, eps, weightDecay, maximize);
  }

  /// Returns a copy with another `eps`.
  public Adadelta withEps(double eps) {
    return new Adadelta(learningRate, rho, eps, weightDecay, maximize);
  }

  /// Returns a copy with another weight decay.
  public Adadelta withWeightDecay(double weightDecay) {
    return new Adadelta(learningRate, rho, eps, weightDecay, maximize);
  }

  /// Returns a copy that maximizes or minimizes the objective.
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
