// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// [Adam] that pulls values to zero by itself, not by way of the gradient. After
/// `torch.optim.AdamW` (Loshchilov and Hutter, "Decoupled Weight Decay Regularization").
///
/// @param learningRate how far a step goes; torch's is 0.001
/// @param beta1 how much of the gradients' mean stays
/// @param beta2 how much of the squares' mean stays
/// @param eps what is added to the root
/// @param weightDecay how strongly values are pulled to zero; torch's is 0.01
/// @param amsgrad whether to divide by the greatest mean so far
/// @param maximize whether the loss is to become great, not small
public record AdamW(
    double learningRate,
    double beta1,
    double beta2,
    double eps,
    double weightDecay,
    boolean amsgrad,
    boolean maximize)
    implements MomentumSpec {
  /// Checks the settings.
  ///
  /// @throws IllegalArgumentException if one is out of range
  public AdamW {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.requireShare(this, "beta1", beta1);
    SettingChecks.requireShare(this, "beta2", beta2);
    SettingChecks.requireNotNegative(this, "eps", eps);
    SettingChecks.requireNotNegative(this, "weight decay", weightDecay);
  }

  /// At this rate, otherwise as torch has it.
  public AdamW(double learningRate) {
    this(learningRate, 0.9, 0.999, 1e-8, 0.01, false, false);
  }

  @Override
  public AdamW withLearningRate(double learningRate) {
    return new AdamW(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// The same with these shares of the means.
  public AdamW withBetas(double beta1, double beta2) {
    return new AdamW(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// The same with this added to the root.
  public AdamW withEps(double eps) {
    return new AdamW(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// The same with this weight decay.
  public AdamW withWeightDecay(double weightDecay) {
    return new AdamW(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// The same with or without the greatest mean of squares.
  public AdamW withAmsgrad(boolean amsgrad) {
    return new AdamW(learningRate, beta1, beta2, eps, weightDecay, amsgrad, maximize);
  }

  /// The same towards a great loss, or a small one.
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
