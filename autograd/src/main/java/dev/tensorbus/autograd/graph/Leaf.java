// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.Tensor;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An end of the graph: a tensor that was not computed, such as a parameter. Like torch's
/// `AccumulateGrad`, except that the [BackwardPass] decides where the gradient goes.
public final class Leaf extends Node {
  private final Tensor tensor;
  private final Consumer<Tensor> accumulate;
  private final Set<Consumer<LeafGradients>> after = new CopyOnWriteArraySet<>();

  /// @param accumulate adds a gradient to the tensor's [Tensor#grad]
  public Leaf(Tensor tensor, Consumer<Tensor> accumulate) {
    super(1, List.of());
    this.tensor = tensor;
    this.accumulate = accumulate;
  }

  /// Returns the tensor whose gradient arrives here.
  public Tensor tensor() {
    return tensor;
  }

  /// Registers an action for the end of each pass that computes a gradient of the tensor.
  void addAfter(Consumer<LeafGradients> action) {
    after.add(action);
  }

  /// Returns the actions for the end of a pass that computes a gradient of the tensor.
  public Set<Consumer<LeafGradients>> after() {
    return Collections.unmodifiableSet(after);
  }

  /// Adds a gradient to the tensor's [Tensor#grad].
  void accumulate(Tensor gradient) {
    accumulate.accept(gradient);
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    throw new IllegalStateException(
        this + " is an end of the graph; the backward pass handles its gradient");
  }

  @Override
  protected boolean isUserCode() {
    return false;
  }

  @Override
  public String toString() {
    return "leaf " + tensor.shape();
  }
}
