// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim;

/// The rule of [Sgd] with momentum: remembers one parameter's velocity.
///
/// Each form is one loop without a branch, which C2 turns into vector instructions. The products
/// and sums are fused where torch fuses them, hence equal bits.
final class Momentum implements UpdateRule {
  private final Sgd sgd;
  private final float[] velocity;
  private boolean moving;

  Momentum(Sgd sgd, int elements) {
    this.sgd = sgd;
    this.velocity = new float[elements];
  }

  @Override
  public float[] next(float[] values, float[] gradient) {
    // The first velocity is the gradient itself, undamped: the zeros that are there add nothing.
    float share = moving ? 1 - sgd.dampening() : 1;
    moving = true;
    return sgd.nesterov() ? lookAhead(values, gradient, share) : follow(values, gradient, share);
  }

  private float[] follow(float[] values, float[] gradient, float share) {
    float rate = -sgd.learningRate();
    float momentum = sgd.momentum();
    float decay = sgd.weightDecay();
    float[] v = velocity;
    float[] next = new float[values.length];
    for (int i = 0; i < next.length; i++) {
      float d = Math.fma(decay, values[i], gradient[i]);
      v[i] = Math.fma(share, d, momentum * v[i]);
      next[i] = Math.fma(rate, v[i], values[i]);
    }
    return next;
  }

  private float[] lookAhead(float[] values, float[] gradient, float share) {
    float rate = -sgd.learningRate();
    float momentum = sgd.momentum();
    float decay = sgd.weightDecay();
    float[] v = velocity;
    float[] next = new float[values.length];
    for (int i = 0; i < next.length; i++) {
      float d = Math.fma(decay, values[i], gradient[i]);
      v[i] = Math.fma(share, d, momentum * v[i]);
      next[i] = Math.fma(rate, Math.fma(momentum, v[i], d), values[i]);
    }
    return next;
  }
}
