// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

/// Stochastic gradient descent, with momentum if wanted. After `torch.optim.SGD`, whose numbers it
/// gives bit for bit.
///
/// With `d = gradient + weightDecay * value` a step is `value -= learningRate * d`; with momentum
/// it is `value -= learningRate * v`, where `v = momentum * v + (1 - dampening) * d` and the first
/// `v` is `d`. Nesterov's form goes by `d + momentum * v` in place of `v` (Sutskever et al., "On
/// the importance of initialization and momentum in deep learning").
///
/// @param learningRate how far a step goes
/// @param momentum how much of the last step's velocity stays; 0 for none
/// @param dampening how much of a gradient is kept from the velocity
/// @param weightDecay how strongly values are pulled to zero
/// @param nesterov whether the step looks ahead along the velocity
public record Sgd(
    float learningRate, float momentum, float dampening, float weightDecay, boolean nesterov)
    implements OptimizerSpec {

  /// Checks the settings.
  ///
  /// @throws IllegalArgumentException if one is out of range, or Nesterov's momentum has none
  public Sgd {
    requireNotNegative("learning rate", learningRate);
    requireNotNegative("momentum", momentum);
    requireFinite("dampening", dampening);
    requireNotNegative("weight decay", weightDecay);
    if (nesterov && (momentum == 0 || dampening != 0)) {
      throw new IllegalArgumentException(
          "sgd: Nesterov's momentum needs a momentum above 0 and no dampening, not "
              + ("momentum " + momentum + " and dampening " + dampening)
              + "; call withMomentum before withNesterov");
    }
  }

  /// Plain descent at this rate.
  public Sgd(float learningRate) {
    this(learningRate, 0, 0, 0, false);
  }

  private static void requireNotNegative(String name, float value) {
    requireFinite(name, value);
    if (value < 0) {
      throw new IllegalArgumentException("sgd: " + name + " " + value + " must not be negative");
    }
  }

  private static void requireFinite(String name, float value) {
    if (!Float.isFinite(value)) {
      throw new IllegalArgumentException("sgd: " + name + " " + value + " must be a finite number");
    }
  }

  /// The same with this momentum.
  public Sgd withMomentum(float momentum) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov);
  }

  /// The same with this dampening of the gradient in the velocity.
  public Sgd withDampening(float dampening) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov);
  }

  /// The same with this weight decay.
  public Sgd withWeightDecay(float weightDecay) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov);
  }

  /// The same with or without Nesterov's form of the momentum, which must be set already.
  public Sgd withNesterov(boolean nesterov) {
    return new Sgd(learningRate, momentum, dampening, weightDecay, nesterov);
  }

  @Override
  public UpdateRule rule(int elements) {
    return momentum == 0 ? this::descend : new Momentum(this, elements);
  }

  private float[] descend(float[] values, float[] gradient) {
    float[] next = new float[values.length];
    for (int i = 0; i < next.length; i++) {
      float d = Math.fma(weightDecay, values[i], gradient[i]);
      next[i] = Math.fma(-learningRate, d, values[i]);
    }
    return next;
  }
}
