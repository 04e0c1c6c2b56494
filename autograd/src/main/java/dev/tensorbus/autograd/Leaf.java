// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The end of the graph at a tensor that nobody computed, such as a parameter. After torch's
/// `AccumulateGrad`; where the gradient is put is for the pass to say, see [BackwardPass].
public final class Leaf extends Node {
  private final Tensor tensor;

  Leaf(Tensor tensor) {
    super(1, List.of());
    this.tensor = tensor;
  }

  /// The tensor whose gradient arrives here.
  public Tensor tensor() {
    return tensor;
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    throw new IllegalStateException(this + " is an end of the graph; the pass takes its gradient");
  }

  @Override
  protected boolean onlyComputes() {
    return true;
  }

  @Override
  public String toString() {
    return "leaf " + tensor.shape();
  }
}
