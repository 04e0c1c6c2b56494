// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// [Adam] with decoupled weight decay, which is applied to the parameter instead of the gradient.
/// Like `torch.optim.AdamW` (Loshchilov and Hutter, "Decoupled Weight Decay Regularization").
///
/// @param learningRate the learning rate; torch's default is 0.001
/// @param beta1 decay rate of the running mean of gradients
/// @param beta2 decay rate of the running mean of squared gradients
/// @param eps term added to the denominator for numerical stability
/// @param weightDecay weight decay; torch's default is 0.01
/// @param amsgrad whether to replace the running mean of squares with its maximum so far
/// @param maximize whether to maximize the objective instead of minimizing it
public record AdamW(
    double learningRate,
    double beta1,
    double beta2,
    double eps,
    double weightDecay,
    boolean amsgrad,
    boolean maximize)
    implements MomentumSpec {
  /// @throws IllegalArgumentException if a setting is out of range
  public AdamW {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.requireShare(this, "beta1", beta1);
    SettingChecks.requireShare(this, "beta2", beta2);
    SettingChecks.requireNotNegative(this, "eps", eps);
    SettingChecks.requireNotNegative(this, "weight decay", weightDecay);
  }

  /// Creates settings with this learning rate and torch's defaults for the rest.
  public AdamW(double learningRate) {
    this(learningRate, 0.9, 0.999, 1e-8, 0.01, false, false);
  }

  @Override
  public AdamW withLearningRate(double learningRate) {
    return new AdamW(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// Returns a copy with different betas.
  public AdamW withBetas(double beta1, double beta2) {
    return new AdamW(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// Returns a copy with another `eps`.
  public AdamW withEps(double eps) {
    return new AdamW(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// Returns a copy with another weight decay.
  public AdamW withWeightDecay(double weightDecay) {
    return new AdamW(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// Returns a copy with or without AMSGrad.
  public AdamW withAmsgrad(boolean amsgrad) {
    return new AdamW(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// Returns a copy that maximizes or minimizes the objective.
  public AdamW withMaximize(boolean maximize) {
    return new AdamW(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  @Override
  public double momentum() {
    return beta1;
  }

  @Override
  public AdamW withMomentum(double momentum) {
    return withBetas(momentum, beta2);
  }

  private Adam adam() {
    return new Adam(learningRate, beta1, beta2, eps, 0, amsgrad, maximize);
  }

  @Override
  public Map<String, Double> memory() {
    return adam().memory();
  }

  @Override
  public UpdateRule rule(long step) {
    UpdateRule adam = adam().rule(step);
    return blocks -> {
      blocks.values().mul(1 - learningRate * weightDecay);
      adam.update(blocks);
    };
  }
}
