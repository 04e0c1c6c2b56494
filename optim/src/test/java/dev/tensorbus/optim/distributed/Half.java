// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.Linear;
import dev.tensorbus.rpc.Remote;
import java.util.SplittableRandom;

/// Half of a network: the same numbers on whatever worker it is made.
public final class Half extends Layer {
  /// How many numbers go in and out.
  public static final int WIDTH = 5;

  private final Linear linear;

  /// With weights by this seed.
  @Remote
  public Half(long seed) {
    linear = child("linear", new Linear(WIDTH, WIDTH, new SplittableRandom(seed)));
  }

  /// Has the weight learn nothing.
  @Remote
  public void freezeWeight() {
    linear.parameters().getFirst().requiresGrad(false);
  }

  /// `tanh(x · weightᵀ + bias)`.
  public Tensor forward(Tensor x) {
    return linear.forward(x).tanh();
  }
}
