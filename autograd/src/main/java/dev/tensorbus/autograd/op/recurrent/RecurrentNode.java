// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.op.recurrent;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.Edge;
import dev.tensorbus.autograd.graph.Functional;
import dev.tensorbus.autograd.graph.Node;
import dev.tensorbus.autograd.op.MatrixOps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The graph node of a [Recurrent] network. Unlike an [dev.tensorbus.autograd.op.Operation], it has
/// several results.
final class RecurrentNode extends Node {
  private final RecurrentStates states;

  RecurrentNode(RecurrentStates states, List<Edge> inputs) {
    super(states.network().results(), inputs);
    this.states = states;
  }

  @Override
  protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
    return NoGrad.isOn()
        ? RecurrentGradient.inputs(states, gradients, needed)
        : recorded(gradients);
  }

  /// Differentiates the network unrolled into operations, so that its gradients are recorded.
  private @Nullable Tensor[] recorded(@Nullable Tensor[] gradients) {
    List<Tensor> placed = new ArrayList<>();
    for (int i = 0; i < inputs().size(); i++) {
      Tensor input = states.inputs()[i];
      Edge origin = inputs().get(i);
      placed.add(origin.node() == null ? input : Tensor.recorded(input, origin));
    }
    return Functional.vjp(
            inputs -> joined(Unrolled.results(states.network(), inputs), gradients),
            placed,
            joined(Arrays.asList(gradients), gradients))
        .toArray(Tensor[]::new);
  }

  /// Concatenates the tensors whose gradients are not null.
  private static Tensor joined(List<@Nullable Tensor> tensors, @Nullable Tensor[] gradients) {
    List<Tensor> flat = new ArrayList<>();
    for (int i = 0; i < gradients.length; i++) {
      if (gradients[i] != null) {
        flat.add(Objects.requireNonNull(tensors.get(i)).reshape(-1));
      }
    }
    return Tensor.concatenate(flat, 0);
  }

  @Override
  protected boolean isOnceDifferentiable() {
    return false;
  }

  /// Runs backward through the steps once for all inputs. The products for the individual inputs
  /// can be computed later.
  @Override
  protected @Nullable SplitBackward splitBackward(@Nullable Tensor[] gradients) {
    return states.network().weightWork() >= MatrixOps.LONG
        ? RecurrentGradient.of(states, gradients)::inputs
        : null;
  }

  @Override
  protected boolean isUserCode() {
    return false;
  }

  /// Returns the lower-case name of torch's layer, such as `lstm`.
  @Override
  public String toString() {
    return states.network().name();
  }
}
