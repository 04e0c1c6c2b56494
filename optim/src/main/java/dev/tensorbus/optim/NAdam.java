// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// [Adam] with Nesterov momentum. Like `torch.optim.NAdam` (Dozat, "Incorporating Nesterov
/// Momentum into Adam").
///
/// @param learningRate the learning rate; torch's default is 0.002
/// @param beta1 decay rate of the running mean of gradients, and limit of the momentum
/// @param beta2 decay rate of the running mean of squared gradients
/// @param eps term added to the denominator for numerical stability
/// @param weightDecay weight decay (L2 penalty), which is added to the gradient
/// @param momentumDecay how fast the momentum approaches `beta1`
public record NAdam(
    double learningRate,
    double beta1,
    double beta2,
    double eps,
    double weightDecay,
    double momentumDecay)
    implements MomentumSpec {
  private static final String MEAN = "exp_avg";
  private static final String SQUARES = "exp_avg_sq";

  /// @throws IllegalArgumentException if a setting is out of range
  public NAdam {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.requireShare(this, "beta1", beta1);
    SettingChecks.requireShare(this, "beta2", beta2);
    SettingChecks.requireNotNegative(this, "eps", eps);
    SettingChecks.requireNotNegative(this, "weight decay", weightDecay);
    SettingChecks.requireNotNegative(this, "momentum decay", momentumDecay);
  }

  /// Creates settings with this learning rate and torch's defaults for the rest.
  public NAdam(double learningRate) {
    this(learningRate, 0.9, 0.999, 1e-8, 0, 4e-3);
  }

  @Override
  public NAdam withLearningRate(double learningRate) {
    return new NAdam(learningRate, beta1, beta2, eps, weightDecay, momentumDecay);
  }

  /// Returns a copy with different betas.
  public NAdam withBetas(double beta1, double beta2) {
    return new NAdam(learningRate, beta1, beta2, eps, weightDecay, momentumDecay);
  }

  /// Returns a copy with another `eps`.
  public NAdam withEps(double eps) {
    return new NAdam(learningRate, beta1, beta2, eps, weightDecay, momentumDecay);
  }

  /// Returns a copy with another weight decay.
  public NAdam withWeightDecay(double weightDecay) {
    return new NAdam(learningRate, beta1, beta2, eps, weightDecay, momentumDecay);
  }

  /// Returns a copy with another momentum decay.
  public NAdam withMomentumDecay(double momentumDecay) {
    return new NAdam(learningRate, beta1, beta2, eps, weightDecay, momentumDecay);
  }

  @Override
  public double momentum() {
    return beta1;
  }

  @Override
  public NAdam withMomentum(double momentum) {
    return withBetas(momentum, beta2);
  }

  @Override
  public Map<String, Double> memory() {
    return Map.of(MEAN, 0.0, SQUARES, 0.0);
  }

  @Override
  public UpdateRule rule(long step) {
    double present = momentum(step);
    double next = momentum(step + 1);
    double product = product(step);
    double byGradient = learningRate * (1 - present) / (1 - product);
    double byMean = learningRate * next / (1 - product * next);
    double bias = 1 - Math.pow(beta2, (double) step);
    return blocks -> {
      Block d = blocks.descent(false, weightDecay);
      Block mean = blocks.state(MEAN).mul(beta1).addScaled(d, 1 - beta1);
      Block squares = blocks.state(SQUARES).mul(beta2).addcmul(d, d, 1 - beta2);
      Block divisor = blocks.scratch(0, squares).div(bias).sqrt().add(eps);
      blocks.values().addcdiv(d, divisor, -byGradient).addcdiv(mean, divisor, -byMean);
    };
  }

  /// Returns the momentum of a step. It grows from half of `beta1` to `beta1`.
  private double momentum(long step) {
    return beta1 * (1 - 0.5 * Math.pow(0.96, step * momentumDecay));
  }

  /// Returns the product of the momenta of all steps up to this one, in float32 as in torch. With
  /// the default settings, it underflows to 0 after 132 steps.
  private double product(long step) {
    float product = 1;
    for (long past = 1; past <= step && product > 0; past++) {
      product *= (float) momentum(past);
    }
    return product;
  }
}
