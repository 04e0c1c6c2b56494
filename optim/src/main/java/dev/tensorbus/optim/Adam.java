// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// Adam: divides the running mean of the gradients by the root of the running mean of their
/// squares. Like `torch.optim.Adam` (Kingma and Ba, "Adam: A Method for Stochastic Optimization").
///
/// @param learningRate the learning rate; torch's default is 0.001
/// @param beta1 decay rate of the running mean of gradients
/// @param beta2 decay rate of the running mean of squared gradients
/// @param eps term added to the denominator for numerical stability
/// @param weightDecay weight decay (L2 penalty), which is added to the gradient
/// @param amsgrad whether to replace the running mean of squares with its maximum so far (Reddi et
///     al., "On the Convergence of Adam and Beyond")
/// @param maximize whether to maximize the objective instead of minimizing it
public record Adam(
    double learningRate,
    double beta1,
    double beta2,
    double eps,
    double weightDecay,
    boolean amsgrad,
    boolean maximize)
    implements MomentumSpec {
  private static final String MEAN = "exp_avg";
  private static final String SQUARES = "exp_avg_sq";
  private static final String GREATEST = "max_exp_avg_sq";

  /// @throws IllegalArgumentException if a setting is out of range
  public Adam {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.requireShare(this, "beta1", beta1);
    SettingChecks.requireShare(this, "beta2", beta2);
    SettingChecks.requireNotNegative(this, "eps", eps);
    SettingChecks.requireNotNegative(this, "weight decay", weightDecay);
  }

  /// Creates settings with this learning rate and torch's defaults for the rest.
  public Adam(double learningRate) {
    this(learningRate, 0.9, 0.999, 1e-8, 0, false, false);
  }

  @Override
  public Adam withLearningRate(double learningRate) {
    return new Adam(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// Returns a copy with different betas.
  public Adam withBetas(double beta1, double beta2) {
    return new Adam(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// Returns a copy with another `eps`.
  public Adam withEps(double eps) {
    return new Adam(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// Returns a copy with another weight decay.
  public Adam withWeightDecay(double weightDecay) {
    return new Adam(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// Returns a copy with or without AMSGrad.
  public Adam withAmsgrad(boolean amsgrad) {
    return new Adam(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// Returns a copy that maximizes or minimizes the objective.
  public Adam withMaximize(boolean maximize) {
    return new Adam(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  @Override
  public double momentum() {
    return beta1;
  }

  @Override
  public Adam withMomentum(double momentum) {
    return withBetas(momentum, beta2);
  }

  @Override
  public Map<String, Double> memory() {
    return amsgrad
        ? Map.of(MEAN, 0.0, SQUARES, 0.0, GREATEST, 0.0)
        : Map.of(MEAN, 0.0, SQUARES, 0.0);
  }

  @Override
  public UpdateRule rule(long step) {
    // Bias correction: the means start at 0.
    double rate = learningRate / (1 - Math.pow(beta1, (double) step));
    double root = Math.sqrt(1 - Math.pow(beta2, (double) step));
    return blocks -> {
      Block d = blocks.descent(maximize, weightDecay);
      Block mean = blocks.state(MEAN).mul(beta1).addScaled(d, 1 - beta1);
      Block squares = blocks.state(SQUARES).mul(beta2).addcmul(d, d, 1 - beta2);
      Block power = amsgrad ? blocks.state(GREATEST).maximum(squares) : squares;
      Block divisor = blocks.scratch(0, power).sqrt().div(root).add(eps);
      blocks.values().addcdiv(mean, divisor, -rate);
    };
  }
}
