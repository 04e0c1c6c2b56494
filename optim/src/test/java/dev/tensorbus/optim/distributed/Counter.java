// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.optim.distributed;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.rpc.Remote;

/// A layer whose gradient does not depend on its value, so that steps can be counted.
public final class Counter extends Layer {
  private final Tensor count = parameter("count", Shape.of(1), new float[1]);

  @Remote
  Counter() {}

  /// `x · count`.
  public Tensor forward(Tensor x) {
    return x.mul(count);
  }
}
