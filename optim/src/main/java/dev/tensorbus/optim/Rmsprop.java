// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.Blocks;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.HashMap;
import java.util.Map;

/// RMSprop: divides each step by the root of the running mean of squared gradients. Like
/// `torch.optim.RMSprop` (Hinton, unpublished; the centered version is from Graves, "Generating
/// Sequences With Recurrent Neural Networks").
///
/// @param learningRate the learning rate; torch's default is 0.01
/// @param alpha decay rate of the running mean
/// @param eps term added to the denominator for numerical stability
/// @param weightDecay weight decay (L2 penalty), which is added to the gradient
/// @param momentum momentum; 0 for none
/// @param centered whether to divide by the standard deviation instead of the root mean square
/// @param maximize whether to maximize the objective instead of minimizing it
public record Rmsprop(
    double learningRate,
    double alpha,
    double eps,
    double weightDecay,
    double momentum,
    boolean centered,
    boolean maximize)
    implements MomentumSpec {
  private static final String SQUARES = "square_avg";
  private static final String MEAN = "grad_avg";
  private static final String VELOCITY = "momentum_buffer";

  /// @throws IllegalArgumentException if a setting is out of range
  public Rmsprop {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.requireNotNegative(this, "alpha", alpha);
    SettingChecks.requireNotNegative(this, "eps", eps);
    SettingChecks.requireNotNegative(this, "weight decay", weightDecay);
    SettingChecks.requireNotNegative(this, "momentum", momentum);
  }

  /// Creates settings with this learning rate and torch's defaults for the rest.
  public Rmsprop(double learningRate) {
    this(learningRate, 0.99, 1e-8, 0, 0, false, false);
  }

  @Override
  public Rmsprop withLearningRate(double learningRate) {
    return new Rmsprop(learningRate, alpha, eps, weightDecay, momentum, centered, maximize);
  }

  /// Returns a copy with another `alpha`.
  public Rmsprop withAlpha(double alpha) {
    return new Rmsprop(learningRate, alpha, eps, weightDecay, momentum, centered, maximize);
  }

  /// Returns a copy with another `eps`.
  public Rmsprop withEps(double eps) {
    return new Rmsprop(learningRate, alpha, eps, weightDecay, momentum, centered, maximize);
  }

  /// Returns a copy with another weight decay.
  public Rmsprop withWeightDecay(double weightDecay) {
    return new Rmsprop(learningRate, alpha, eps, weightDecay, momentum, centered, maximize);
  }

  @Override
  public Rmsprop withMomentum(double momentum) {
    return new Rmsprop(learningRate, alpha, eps, weightDecay, momentum, centered, maximize);
  }

  /// Returns a copy with or without centering.
  public Rmsprop withCentered(boolean centered) {
    return new Rmsprop(learningRate, alpha, eps, weightDecay, momentum, centered, maximize);
  }

  /// Returns a copy that maximizes or minimizes the objective.
  public Rmsprop withMaximize(boolean maximize) {
    return new Rmsprop(learningRate, alpha, eps, weightDecay, momentum, centered, maximize);
  }

  @Override
  public Map<String, Double> memory() {
    Map<String, Double> memory = new HashMap<>(Map.of(SQUARES, 0.0));
    if (momentum > 0) {
      memory.put(VELOCITY, 0.0);
    }
    if (centered) {
      memory.put(MEAN, 0.0);
    }
    return memory;
  }

  @Override
  public UpdateRule rule(long step) {
    return blocks -> {
      Block d = blocks.descent(maximize, weightDecay);
      Block divisor = root(blocks, d).add(eps);
      if (momentum > 0) {
        Block velocity = blocks.state(VELOCITY).mul(momentum).addcdiv(d, divisor, 1);
        blocks.values().addScaled(velocity, -learningRate);
      } else {
        blocks.values().addcdiv(d, divisor, -learningRate);
      }
    };
  }

  private Block root(Blocks blocks, Block d) {
    Block squares = blocks.state(SQUARES).mul(alpha).addcmul(d, d, 1 - alpha);
    Block root = blocks.scratch(0, squares);
    if (centered) {
      Block mean = blocks.state(MEAN).mul(alpha).addScaled(d, 1 - alpha);
      root.addcmul(mean, mean, -1);
    }
    return root.sqrt();
  }
}
