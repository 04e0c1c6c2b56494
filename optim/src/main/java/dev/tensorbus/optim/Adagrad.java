// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// Adagrad: divides each step by the root of the sum of all squared gradients, so that rare
/// features learn faster. Like `torch.optim.Adagrad` (Duchi et al., "Adaptive Subgradient Methods
/// for Online Learning and Stochastic Optimization").
///
/// @param learningRate the learning rate; torch's default is 0.01
/// @param lrDecay learning rate decay: the rate is divided by `1 + (step - 1) * lrDecay`
/// @param weightDecay weight decay (L2 penalty), which is added to the gradient
/// @param initialAccumulator initial value of the sum of squares
/// @param eps term added to the denominator for numerical stability
/// @param maximize whether to maximize the objective instead of minimizing it
public record Adagrad(
    double learningRate,
    double lrDecay,
    double weightDecay,
    double initialAccumulator,
    double eps,
    boolean maximize)
    implements OptimizerSpec {
  private static final String SUM = "sum";

  /// @throws IllegalArgumentException if a setting is out of range
  public Adagrad {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.requireNotNegative(this, "learning rate decay", lrDecay);
    SettingChecks.requireNotNegative(this, "weight decay", weightDecay);
    SettingChecks.requireNotNegative(this, "initial accumulator", initialAccumulator);
    SettingChecks.requireNotNegative(this, "eps", eps);
  }

  /// Creates settings with this learning rate and torch's defaults for the rest.
  public Adagrad(double learningRate) {
    this(learningRate, 0, 0, 0, 1e-10, false);
  }

  @Override
  public Adagrad withLearningRate(double learningRate) {
    return new Adagrad(learningRate, lrDecay, weightDecay, initialAccumulator, eps, maximize);
  }

  /// Returns a copy with another learning rate decay.
  public Adagrad withLrDecay(double lrDecay) {
    return new Adagrad(learningRate, lrDecay, weightDecay, initialAccumulator, eps, maximize);
  }

  /// Returns a copy with another weight decay.
  public Adagrad withWeightDecay(double weightDecay) {
    return new Adagrad(learningRate, lrDecay, weightDecay, initialAccumulator, eps, maximize);
  }

  /// Returns a copy with another initial sum of squares.
  public Adagrad withInitialAccumulator(double initialAccumulator) {
    return new Adagrad(learningRate, lrDecay, weightDecay, initialAccumulator, eps, maximize);
  }

  /// Returns a copy with another `eps`.
  public Adagrad withEps(double eps) {
    return new Adagrad(learningRate, lrDecay, weightDecay, initialAccumulator, eps, maximize);
  }

  /// Returns a copy that maximizes or minimizes the objective.
  public Adagrad withMaximize(boolean maximize) {
    return new Adagrad(learningRate, lrDecay, weightDecay, initialAccumulator, eps, maximize);
  }

  @Override
  public Map<String, Double> memory() {
    return Map.of(SUM, initialAccumulator);
  }

  private double rate(long step) {
    return learningRate / (1 + (step - 1) * lrDecay);
  }

  @Override
  public UpdateRule rule(long step) {
    double rate = rate(step);
    return blocks -> {
      Block d = blocks.descent(maximize, weightDecay);
      Block sum = blocks.state(SUM).addcmul(d, d, 1);
      blocks.values().addcdiv(d, blocks.scratch(0, sum).sqrt().add(eps), -rate);
    };
  }

  /// Returns the rule for sparse gradients. It rounds like torch's sparse kernel, which rounds
  /// differently from the dense one.
  @Override
  public UpdateRule rowRule(long step) {
    if (weightDecay != 0) {
      throw new IllegalArgumentException(
          "adagrad: weight decay changes all rows and does not support sparse gradients; set it to"
              + " 0");
    }
    double rate = rate(step);
    return blocks -> {
      Block d = blocks.descent(maximize, 0);
      Block sum = blocks.state(SUM).addScaled(blocks.scratch(0, d).mulBy(d), 1);
      blocks.values().addScaled(d.divBy(blocks.scratch(0, sum).sqrt().add(eps)), -rate);
    };
  }
}
