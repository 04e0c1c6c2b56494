// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

import dev.tensorbus.optim.update.Block;
import dev.tensorbus.optim.update.UpdateRule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Stochastic gradient descent, with momentum if wanted. After `torch.optim.SGD`.
///
/// With `d = gradient + weightDecay * value` a step is `value -= learningRate * d`; with momentum
/// it is `value -= learningRate * v`, where `v = momentum * v + (1 - dampening) * d` and the
/// first `v` is `d`. Nesterov's form goes by `d + momentum * v` in place of `v` (Sutskever et
/// al., "On the importance of initialization and momentum in deep learning").
///
/// @param learningRate how far a step goes
/// @param momentum how much of the last step's velocity stays; 0 for none
/// @param dampening how much of a gradient is kept from the velocity
/// @param weightDecay how strongly values are pulled to zero
/// @param nesterov whether the step looks ahead along the velocity
/// @param maximize whether the loss is to become great, not small
public record Sgd(
    double learningRate,
    double momentum,
    double dampening,
    double weightDecay,
    boolean nesterov,
    boolean maximize)
    implements MomentumSpec {
  private static final String VELOCITY = "momentum_buffer";

  /// Checks the settings.
  ///
  /// @throws IllegalArgumentException if one is out of range, or Nesterov's momentum has none
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

  /// Plain descent at this rate.
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

  /// The same with this dampening of the gradient in the velocity.
  public Sgd withDampening(double dampening) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov, maximize);
  }

  /// The same with this weight decay.
  public Sgd withWeightDecay(double weightDecay) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov, maximize);
  }

  /// The same with or without Nesterov's form of the momentum, which must be set already.
  public Sgd withNesterov(boolean nesterov) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov, maximize);
  }

  /// The same towards a great loss, or a small one.
  public Sgd withMaximize(boolean maximize) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov, maximize);
  }

  @Override
  public Map<String, Double> memory() {
    return momentum == 0 ? Map.of() : Map.of(VELOCITY, 0.0);
  }

  @Override
  public UpdateRule rule(long step) {
    // The first velocity is the gradient itself, undamped: the zeros that are there add nothing.
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
    // A row without gradient moves by its velocity and decays.
    return momentum == 0 && weightDecay == 0 ? rule(step) : null;
  }
}
