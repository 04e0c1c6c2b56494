// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;

/// Rprop: adapts a separate step size for each value, which grows while the gradient keeps its sign
/// and shrinks when the sign changes. Suited to full-batch training. Like `torch.optim.Rprop`
/// (Riedmiller and Braun, "A direct adaptive method for faster backpropagation learning").
///
/// @param learningRate initial step size; torch's default is 0.01
/// @param etaMinus factor by which step sizes shrink
/// @param etaPlus factor by which step sizes grow
/// @param minStep minimum step size
/// @param maxStep maximum step size
/// @param maximize whether to maximize the objective instead of minimizing it
public record Rprop(
    double learningRate,
    double etaMinus,
    double etaPlus,
    double minStep,
    double maxStep,
    boolean maximize)
    implements OptimizerSpec {
  private static final String LAST = "prev";
  private static final String SIZE = "step_size";

  /// @throws IllegalArgumentException if a setting is out of range
  public Rprop {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.require(
        etaMinus > 0 && etaMinus < 1, this, "etaMinus", etaMinus, "must be in (0, 1)");
    SettingChecks.require(etaPlus > 1, this, "etaPlus", etaPlus, "must be above 1");
    SettingChecks.requireNotNegative(this, "minimum step size", minStep);
    SettingChecks.requireNotNegative(this, "maximum step size", maxStep);
  }

  /// Creates settings with this initial step size and torch's defaults for the rest.
  public Rprop(double learningRate) {
    this(learningRate, 0.5, 1.2, 1e-6, 50, false);
  }

  @Override
  public Rprop withLearningRate(double learningRate) {
    return new Rprop(learningRate, etaMinus, etaPlus, minStep, maxStep, maximize);
  }

  /// Returns a copy that maximizes or minimizes the objective.
  public Rprop withMaximize(boolean maximize) {
    return new Rprop(learningRate, etaMinus, etaPlus, minStep, maxStep, maximize);
  }

  /// Returns a copy with different factors for the step sizes.
  public Rprop withEtas(double etaMinus, double etaPlus) {
    return new Rprop(learningRate, etaMinus, etaPlus, minStep, maxStep, maximize);
  }

  /// Returns a copy with different bounds for the step sizes.
  public Rprop withStepSizes(double minStep, double maxStep) {
    return new Rprop(learningRate, etaMinus, etaPlus, minStep, maxStep, maximize);
  }

  @Override
  public Map<String, Double> memory() {
    return Map.of(LAST, 0.0, SIZE, learningRate);
  }

  @Override
  public UpdateRule rule(long step) {
    return blocks -> {
      Block d = blocks.descent(maximize, 0);
      Block turn = blocks.scratch(0, d).mulBy(blocks.state(LAST));
      Block change = blocks.scratch(1, turn).bySign(etaMinus, 1, etaPlus);
      Block size = blocks.state(SIZE).mulBy(change).clamp(minStep, maxStep);
      // A value whose gradient changed sign stays unchanged for one step.
      blocks.state(LAST).set(d.zeroWhereNegative(turn));
      blocks.values().addcmul(d.bySign(-1, 0, 1), size, -1);
    };
  }
}
