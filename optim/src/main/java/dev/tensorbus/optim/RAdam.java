// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// [Adam] with automatic warm-up: divides by the root of the mean of squares, and multiplies by a
/// rectification term, only once that mean covers enough samples. Like `torch.optim.RAdam` (Liu et
/// al., "On the Variance of the Adaptive Learning Rate and Beyond").
///
/// @param learningRate the learning rate; torch's default is 0.001
/// @param beta1 decay rate of the running mean of gradients
/// @param beta2 decay rate of the running mean of squared gradients
/// @param eps term added to the denominator for numerical stability
/// @param weightDecay weight decay (L2 penalty), which is added to the gradient
public record RAdam(double learningRate, double beta1, double beta2, double eps, double weightDecay)
    implements MomentumSpec {
  private static final String MEAN = "exp_avg";
  private static final String SQUARES = "exp_avg_sq";

  /// The mean of squares is used if its effective number of samples exceeds this.
  private static final double ENOUGH = 5;

  /// @throws IllegalArgumentException if a setting is out of range
  public RAdam {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.requireShare(this, "beta1", beta1);
    SettingChecks.requireShare(this, "beta2", beta2);
    SettingChecks.requireNotNegative(this, "eps", eps);
    SettingChecks.requireNotNegative(this, "weight decay", weightDecay);
  }

  /// Creates settings with this learning rate and torch's defaults for the rest.
  public RAdam(double learningRate) {
    this(learningRate, 0.9, 0.999, 1e-8, 0);
  }

  @Override
  public RAdam withLearningRate(double learningRate) {
    return new RAdam(learningRate, beta1, beta2, eps, weightDecay);
  }

  /// Returns a copy with different betas.
  public RAdam withBetas(double beta1, double beta2) {
    return new RAdam(learningRate, beta1, beta2, eps, weightDecay);
  }

  /// Returns a copy with another `eps`.
  public RAdam withEps(double eps) {
    return new RAdam(learningRate, beta1, beta2, eps, weightDecay);
  }

  /// Returns a copy with another weight decay.
  public RAdam withWeightDecay(double weightDecay) {
    return new RAdam(learningRate, beta1, beta2, eps, weightDecay);
  }

  @Override
  public double momentum() {
    return beta1;
  }

  @Override
  public RAdam withMomentum(double momentum) {
    return withBetas(momentum, beta2);
  }

  @Override
  public Map<String, Double> memory() {
    return Map.of(MEAN, 0.0, SQUARES, 0.0);
  }

  @Override
  public UpdateRule rule(long step) {
    double kept = Math.pow(beta2, (double) step);
    double bias = 1 - Math.pow(beta1, (double) step);
    double most = 2 / (1 - beta2) - 1;
    double seen = most - 2 * step * kept / (1 - kept);
    double trust = Math.sqrt((seen - 4) * (seen - 2) * most / ((most - 4) * (most - 2) * seen));
    return blocks -> {
      Block d = blocks.descent(false, weightDecay);
      Block mean = blocks.state(MEAN).mul(beta1).addScaled(d, 1 - beta1);
      Block squares = blocks.state(SQUARES).mul(beta2).addcmul(d, d, 1 - beta2);
      Block way = blocks.scratch(0, mean).div(bias).mul(learningRate);
      if (seen > ENOUGH) {
        Block root = blocks.scratch(1, squares).sqrt().add(eps);
        Block inverse = blocks.scratch(2, root).bySign(1, 1, 1).divBy(root);
        way.mulBy(inverse.mul(Math.sqrt(1 - kept))).mul(trust);
      }
      blocks.values().sub(way);
    };
  }
}
