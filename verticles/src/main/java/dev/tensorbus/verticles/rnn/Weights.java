// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.verticles.rnn;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.nn.StateDict;
import dev.tensorbus.rpc.Remote;
import java.util.random.RandomGenerator;

/// The weights of a part of the model, where they are.
final class Weights {
  private static final float BOUND = 0.1f;

  private Weights() {}

  /// Gives a parameter new values, uniform in ±0.1.
  static void drawAgain(Tensor parameter, RandomGenerator random) {
    parameter.update(
        old -> {
          float[] values = new float[old.length];
          for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat(-BOUND, BOUND);
          }
          return values;
        });
  }

  /// The present values.
  @Remote
  static StateDict state(Layer part) {
    return part.state();
  }
}
