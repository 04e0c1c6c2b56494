// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// [Adam] for embedding tables: rows without a gradient, and their state, do not change. Like
/// `torch.optim.SparseAdam`. Accepts only [sparse gradients][dev.tensorbus.autograd.SparseRows].
///
/// @param learningRate the learning rate; torch's default is 0.001
/// @param beta1 decay rate of the running mean of gradients
/// @param beta2 decay rate of the running mean of squared gradients
/// @param eps term added to the denominator for numerical stability
/// @param maximize whether to maximize the objective instead of minimizing it
public record SparseAdam(
    double learningRate, double beta1, double beta2, double eps, boolean maximize)
    implements MomentumSpec {
  private static final String MEAN = "exp_avg";
  private static final String SQUARES = "exp_avg_sq";

  /// @throws IllegalArgumentException if a setting is out of range
  public SparseAdam {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.requireShare(this, "beta1", beta1);
    SettingChecks.requireShare(this, "beta2", beta2);
    SettingChecks.require(eps > 0, this, "eps", eps, "must be above 0");
  }

  /// Creates settings with this learning rate and torch's defaults for the rest.
  public SparseAdam(double learningRate) {
    this(learningRate, 0.9, 0.999, 1e-8, false);
  }

  @Override
  public SparseAdam withLearningRate(double learningRate) {
    return new SparseAdam(learningRate, beta1, beta2, eps, maximize);
  }

  /// Returns a copy with another `eps`.
  public SparseAdam withEps(double eps) {
    return new SparseAdam(learningRate, beta1, beta2, eps, maximize);
  }

  /// Returns a copy that maximizes or minimizes the objective.
  public SparseAdam withMaximize(boolean maximize) {
    return new SparseAdam(learningRate, beta1, beta2, eps, maximize);
  }

  /// Returns a copy with different betas.
  public SparseAdam withBetas(double beta1, double beta2) {
    return new SparseAdam(learningRate, beta1, beta2, eps, maximize);
  }

  @Override
  public double momentum() {
    return beta1;
  }

  @Override
  public SparseAdam withMomentum(double momentum) {
    return new SparseAdam(learningRate, momentum, beta2, eps, maximize);
  }

  @Override
  public Map<String, Double> memory() {
    return Map.of(MEAN, 0.0, SQUARES, 0.0);
  }

  @Override
  public UpdateRule rule(long step) {
    throw new IllegalArgumentException(
        "sparseadam: supports only sparse gradients; use Adam, or an embedding with"
            + " withSparse(true)");
  }

  @Override
  public UpdateRule rowRule(long step) {
    double root = Math.sqrt(1 - Math.pow(beta2, (double) step));
    double rate = learningRate * root / (1 - Math.pow(beta1, (double) step));
    return blocks -> {
      Block d = blocks.descent(maximize, 0);
      Block mean = blocks.state(MEAN);
      mean.addScaled(blocks.scratch(0, d).sub(mean).mul(1 - beta1), 1);
      Block squares = blocks.state(SQUARES);
      squares.addScaled(d.mulBy(d).sub(squares).mul(1 - beta2), 1);
      Block divisor = blocks.scratch(1, squares).sqrt().add(eps);
      blocks.values().addScaled(blocks.scratch(0, mean).divBy(divisor).mul(-rate), 1);
    };
  }
}
