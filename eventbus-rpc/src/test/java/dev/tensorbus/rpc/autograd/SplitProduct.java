// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.autograd;

import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A product whose two gradients may be computed one after the other, as those of large matrices.
final class SplitProduct extends Node {
  private final Tensor x;
  private final Tensor y;

  private SplitProduct(Tensor x, Tensor y) {
    super(1, List.of(x.gradientEdge(), y.gradientEdge()));
    this.x = x.detach();
    this.y = y.detach();
  }

  /// `xy`.
  static Tensor of(Tensor x, Tensor y) {
    return Tensor.recorded(x.detach().mul(y.detach()), new Edge(new SplitProduct(x, y), 0));
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    Tensor gradient = gradients[0];
    if (gradient == null) {
      throw new IllegalStateException(this + " has one result, which is used");
    }
    return new Tensor[] {needed[0] ? gradient.mul(y) : null, needed[1] ? gradient.mul(x) : null};
  }

  @Override
  protected SplitBackward splitBackward(@Nullable Tensor[] gradients) {
    return needed -> backward(gradients, needed);
  }

  @Override
  protected boolean isUserCode() {
    return false;
  }

  @Override
  public String toString() {
    return "split product";
  }
}
