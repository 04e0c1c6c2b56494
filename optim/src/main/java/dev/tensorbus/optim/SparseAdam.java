// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// [Adam] for tables of which a step sees a few rows: the means of the others stay as they are.
/// After `torch.optim.SparseAdam`; it takes
/// [sparse gradients][dev.tensorbus.autograd.SparseRows] only.
///
/// @param learningRate how far a step goes; torch's is 0.001
/// @param beta1 how much of the gradients' mean stays
/// @param beta2 how much of the squares' mean stays
/// @param eps what is added to the root
/// @param maximize whether the loss is to become great, not small
public record SparseAdam(
    double learningRate, double beta1, double beta2, double eps, boolean maximize)
    implements MomentumSpec {
  private static final String MEAN = "exp_avg";
  private static final String SQUARES = "exp_avg_sq";

  /// Checks the settings.
  ///
  /// @throws IllegalArgumentException if one is out of range
  public SparseAdam {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.requireShare(this, "beta1", beta1);
    SettingChecks.requireShare(this, "beta2", beta2);
    SettingChecks.require(eps > 0, this, "eps", eps, "must be above 0");
  }

  /// At this rate, otherwise as torch has it.
  public SparseAdam(double learningRate) {
    this(learningRate, 0.9, 0.999, 1e-8, false);
  }

  @Override
  public SparseAdam withLearningRate(double learningRate) {
    return new SparseAdam(learningRate, beta1, beta2, eps, maximize);
  }

  /// The same with this added to the root.
  public SparseAdam withEps(double eps) {
    return new SparseAdam(learningRate, beta1, beta2, eps, maximize);
  }

  /// The same towards a great loss, or a small one.
  public SparseAdam withMaximize(boolean maximize) {
    return new SparseAdam(learningRate, beta1, beta2, eps, maximize);
  }

  /// The same with these shares of the means.
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
        "sparseadam: takes sparse gradients only; use Adam, or an embedding with withSparse(true)");
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
