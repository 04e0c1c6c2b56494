// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// Steps by the running mean of the gradients over the root of that of their squares. After
/// `torch.optim.Adam` (Kingma and Ba, "Adam: A Method for Stochastic Optimization").
///
/// @param learningRate how far a step goes; torch's is 0.001
/// @param beta1 how much of the gradients' mean stays
/// @param beta2 how much of the squares' mean stays
/// @param eps what is added to the root
/// @param weightDecay how strongly values are pulled to zero, by way of the gradient
/// @param amsgrad whether to divide by the greatest mean so far (Reddi et al., "On the
///     Convergence of Adam and Beyond")
/// @param maximize whether the loss is to become great, not small
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

  /// Checks the settings.
  ///
  /// @throws IllegalArgumentException if one is out of range
  public Adam {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.requireShare(this, "beta1", beta1);
    SettingChecks.requireShare(this, "beta2", beta2);
    SettingChecks.requireNotNegative(this, "eps", eps);
    SettingChecks.requireNotNegative(this, "weight decay", weightDecay);
  }

  /// At this rate, otherwise as torch has it.
  public Adam(double learningRate) {
    this(learningRate, 0.9, 0.999, 1e-8, 0, false, false);
  }

  @Override
  public Adam withLearningRate(double learningRate) {
    return new Adam(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// The same with these shares of the means.
  public Adam withBetas(double beta1, double beta2) {
    return new Adam(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// The same with this added to the root.
  public Adam withEps(double eps) {
    return new Adam(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// The same with this weight decay.
  public Adam withWeightDecay(double weightDecay) {
    return new Adam(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// The same with or without the greatest mean of squares.
  public Adam withAmsgrad(boolean amsgrad) {
    return new Adam(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// The same towards a great loss, or a small one.
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
    // The means begin at 0: what is missing of them is known.
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
