// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// Divides each step by the root of the sum of all squares so far, so that rare features learn
/// faster. After `torch.optim.Adagrad` (Duchi et al., "Adaptive Subgradient Methods for Online
/// Learning and Stochastic Optimization").
///
/// @param learningRate how far a step goes; torch's is 0.01
/// @param lrDecay how the rate falls: by `1 + (step - 1) * lrDecay`
/// @param weightDecay how strongly values are pulled to zero, by way of the gradient
/// @param initialAccumulator what the sum of squares begins with
/// @param eps what is added to the root
/// @param maximize whether the loss is to become great, not small
public record Adagrad(
    double learningRate,
    double lrDecay,
    double weightDecay,
    double initialAccumulator,
    double eps,
    boolean maximize)
    implements OptimizerSpec {
  private static final String SUM = "sum";

  /// Checks the settings.
  ///
  /// @throws IllegalArgumentException if one is out of range
  public Adagrad {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.requireNotNegative(this, "learning rate decay", lrDecay);
    SettingChecks.requireNotNegative(this, "weight decay", weightDecay);
    SettingChecks.requireNotNegative(this, "initial accumulator", initialAccumulator);
    SettingChecks.requireNotNegative(this, "eps", eps);
  }

  /// At this rate, otherwise as torch has it.
  public Adagrad(double learningRate) {
    this(learningRate, 0, 0, 0, 1e-10, false);
  }

  @Override
  public Adagrad withLearningRate(double learningRate) {
    return new Adagrad(learningRate, lrDecay, weightDecay, initialAccumulator, eps, maximize);
  }

  /// The same with this fall of the rate.
  public Adagrad withLrDecay(double lrDecay) {
    return new Adagrad(learningRate, lrDecay, weightDecay, initialAccumulator, eps, maximize);
  }

  /// The same with this weight decay.
  public Adagrad withWeightDecay(double weightDecay) {
    return new Adagrad(learningRate, lrDecay, weightDecay, initialAccumulator, eps, maximize);
  }

  /// The same with a sum of squares that begins with this.
  public Adagrad withInitialAccumulator(double initialAccumulator) {
    return new Adagrad(learningRate, lrDecay, weightDecay, initialAccumulator, eps, maximize);
  }

  /// The same with this added to the root.
  public Adagrad withEps(double eps) {
    return new Adagrad(learningRate, lrDecay, weightDecay, initialAccumulator, eps, maximize);
  }

  /// The same towards a great loss, or a small one.
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

  /// The same for some rows. It rounds as torch does for these, which is not as for all.
  @Override
  public UpdateRule rowRule(long step) {
    if (weightDecay != 0) {
      throw new IllegalArgumentException(
          "adagrad: weight decay changes all rows, so it goes with no sparse gradient; set it to"
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
