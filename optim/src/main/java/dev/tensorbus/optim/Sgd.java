// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Stochastic gradient descent, optionally with momentum. Like `torch.optim.SGD`.
///
/// With `d = gradient + weightDecay * value`, a step is `value -= learningRate * d`. With momentum,
/// it is `value -= learningRate * v`, where `v = momentum * v + (1 - dampening) * d` and the first
/// `v` is `d`. Nesterov momentum uses `d + momentum * v` instead of `v` (Sutskever et al., "On the
/// importance of initialization and momentum in deep learning").
///
/// @param learningRate the learning rate
/// @param momentum momentum; 0 for none
/// @param dampening the gradient is multiplied by `1 - dampening` before it is added to the
///     velocity
/// @param weightDecay weight decay (L2 penalty), which is added to the gradient
/// @param nesterov whether to use Nesterov momentum
/// @param maximize whether to maximize the objective instead of minimizing it
public record Sgd(
    double learningRate,
    double momentum,
    double dampening,
    double weightDecay,
    boolean nesterov,
    boolean maximize)
    implements MomentumSpec {
  private static final String VELOCITY = "momentum_buffer";

  /// @throws IllegalArgumentException if a setting is out of range, or `nesterov` is set without
  ///     momentum or with dampening
  public Sgd {
    SettingChecks.requireNotNegative(this, "learning rate", learningRate);
    SettingChecks.requireNotNegative(this, "momentum", momentum);
    SettingChecks.requireFinite(this, "dampening", dampening);
    SettingChecks.requireNotNegative(this, "weight decay", weightDecay);
    if (nesterov && (momentum == 0 || dampening != 0)) {
      throw new IllegalArgumentException(
          "sgd: Nesterov's momentum needs a momentum above 0 and no dampening, not "
              + ("momentum " + momentum + " and dampening " + dampening)
              + "; call withMomentum before withNesterov");
    }
  }

  /// Creates settings without momentum or weight decay.
  public Sgd(double learningRate) {
    this(learningRate, 0, 0, 0, false, false);
  }

  @Override
  public Sgd withLearningRate(double learningRate) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov, maximize);
  }

  @Override
  public Sgd withMomentum(double momentum) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov, maximize);
  }

  /// Returns a copy with another dampening.
  public Sgd withDampening(double dampening) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov, maximize);
  }

  /// Returns a copy with another weight decay.
  public Sgd withWeightDecay(double weightDecay) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov, maximize);
  }

  /// Returns a copy with or without Nesterov momentum, which requires a momentum above 0 and no
  /// dampening.
  public Sgd withNesterov(boolean nesterov) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov, maximize);
  }

  /// Returns a copy that maximizes or minimizes the objective.
  public Sgd withMaximize(boolean maximize) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov, maximize);
  }

  @Override
  public Map<String, Double> memory() {
    return momentum == 0 ? Map.of() : Map.of(VELOCITY, 0.0);
  }

  @Override
  public UpdateRule rule(long step) {
    // The first velocity is the undamped gradient; the initial zeros add nothing.
    double share = step == 1 ? 1 : 1 - dampening;
    return blocks -> {
      Block d = blocks.descent(maximize, weightDecay);
      if (momentum != 0) {
        Block v = blocks.state(VELOCITY).mul(momentum).addScaled(d, share);
        d = nesterov ? d.addScaled(v, momentum) : v;
      }
      blocks.values().addScaled(d, -learningRate);
    };
  }

  @Override
  public @Nullable UpdateRule rowRule(long step) {
    // With momentum or weight decay, rows without a gradient change too.
    return momentum == 0 && weightDecay == 0 ? rule(step) : null;
  }
}
