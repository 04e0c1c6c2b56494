// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.parallel;

import dev.tensorbus.autograd.Shape;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.nn.Layer;
import dev.tensorbus.rpc.Remote;

/// Multiplies by its one parameter.
final class Scaling extends Layer {
  private final Tensor factor;

  @Remote
  Scaling(float factor) {
    if (factor == 0) {
      throw new IllegalArgumentException("factor 0 leaves nothing");
    }
    this.factor = parameter("factor", Shape.of(1), new float[] {factor});
  }

  public Tensor forward(Tensor x) {
    return x.mul(factor);
  }

  /// Not offered to others.
  Tensor secret(Tensor x) {
    return x;
  }

  @Remote
  static Tensor forwardAt(RemoteLayer<Scaling> layer, Tensor x) {
    return layer.rpcSync(Scaling::forward, x);
  }

  @Remote
  static RemoteLayer<Scaling> relay(RemoteLayer<Scaling> layer) {
    return layer;
  }

  @Remote
  static boolean trains(Scaling layer) {
    return layer.isTraining();
  }
}
