// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// [Adam] with a decaying maximum of the absolute gradients (infinity norm) instead of the mean of
/// their squares. Like `torch.optim.Adamax` (Kingma and Ba, "Adam: A Method for Stochastic
/// Optimization").
///
/// @param learningRate the learning rate; torch's default is 0.002
/// @param beta1 decay rate of the running mean of gradients
/// @param beta2 decay rate of the infinity norm
/// @param eps term added to each gradient's absolute value for numerical stability
/// @param weightDecay weight decay (L2 penalty), which is added to the gradient
/// @param maximize whether to maximize the objective instead of minimizing it
public record Adamax(
    double learningRate,
    double beta1,
    double beta2,
    double eps,
    double weightDecay,
    boolean maximize)
    implements MomentumSpec {
  private static final String MEAN = "exp_avg";
  private static final String GREATEST = "exp_inf";

  /// @throws IllegalArgumentException if a setting is out of range
  public Adamax {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.requireShare(this, "beta1", beta1);
    SettingChecks.requireShare(this, "beta2", beta2);
    SettingChecks.requireNotNegative(this, "eps", eps);
    SettingChecks.requireNotNegative(this, "weight decay", weightDecay);
  }

  /// Creates settings with this learning rate and torch's defaults for the rest.
  public Adamax(double learningRate) {
    this(learningRate, 0.9, 0.999, 1e-8, 0, false);
  }

  @Override
  public Adamax withLearningRate(double learningRate) {
    return new Adamax(learningRate, beta1, beta2, eps, weightDecay, maximize);
  }

  /// Returns a copy with another `eps`.
  public Adamax withEps(double eps) {
    return new Adamax(learningRate, beta1, beta2, eps, weightDecay, maximize);
  }

  /// Returns a copy with another weight decay.
  public Adamax withWeightDecay(double weightDecay) {
    return new Adamax(learningRate, beta1, beta2, eps, weightDecay, maximize);
  }

  /// Returns a copy that maximizes or minimizes the objective.
  public Adamax withMaximize(boolean maximize) {
    return new Adamax(learningRate, beta1, beta2, eps, weightDecay, maximize);
  }

  /// Returns a copy with different betas.
  public Adamax withBetas(double beta1, double beta2) {
    return new Adamax(learningRate, beta1, beta2, eps, weightDecay, maximize);
  }

  @Override
  public double momentum() {
    return beta1;
  }

  @Override
  public Adamax withMomentum(double momentum) {
    return new Adamax(learningRate, momentum, beta2, eps, weightDecay, maximize);
  }

  @Override
  public Map<String, Double> memory() {
    return Map.of(MEAN, 0.0, GREATEST, 0.0);
  }

  @Override
  public UpdateRule rule(long step) {
    double rate = learningRate / (1 - Math.pow(beta1, (double) step));
    return blocks -> {
      Block d = blocks.descent(maximize, weightDecay);
      Block mean = blocks.state(MEAN).mul(beta1).addScaled(d, 1 - beta1);
      Block greatest = blocks.state(GREATEST).mul(beta2).maximum(d.abs().add(eps));
      blocks.values().addcdiv(mean, greatest, -rate);
    };
  }
}
