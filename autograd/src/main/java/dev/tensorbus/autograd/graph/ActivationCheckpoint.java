// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Trades compute for memory: saves only the inputs of a part of the computation and runs that part
/// again in the backward pass. Like `torch.utils.checkpoint`.
///
/// The part must be a deterministic function: if it draws random numbers, it must create the
/// generator itself, from a fixed seed. The second run uses the original values of the inputs, but
/// the current values of any parameters that are not inputs. Tensors from other workers must be
/// inputs.
public final class ActivationCheckpoint {
  private ActivationCheckpoint() {}

  /// Computes `function` of one tensor without saving intermediate values.
  public static Tensor call(UnaryOperator<Tensor> function, Tensor input) {
    return callAll(inputs -> function.apply(inputs.getFirst()), input);
  }

  /// Computes `function` of several tensors without saving intermediate values.
  public static Tensor callAll(Function<List<Tensor>, Tensor> function, Tensor... inputs) {
    List<Tensor> versions = Arrays.stream(inputs).map(Tensor::detach).toList();
    Tensor value = NoGrad.call(() -> function.apply(versions)).detach();
    return NoGrad.isOn()
        ? value
        : Tensor.recorded(value, new Edge(new RecomputedNode(function, versions, inputs), 0));
  }

  /// The graph node that runs the part again.
  private static final class RecomputedNode extends Node {
    private final Function<List<Tensor>, Tensor> function;
    private final List<Tensor> versions;

    private RecomputedNode(
        Function<List<Tensor>, Tensor> function, List<Tensor> versions, Tensor... inputs) {
      super(1, Arrays.stream(inputs).map(Tensor::gradientEdge).toList());
      this.function = function;
      this.versions = versions;
    }

    /// Runs the part again, recording it, and runs a nested backward pass through it. Gradients of
    /// tensors that are not inputs, such as parameters, go to the callback of the enclosing pass.
    @Override
    protected @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed) {
      requireFirstOrder();
      BiConsumer<Node, @Nullable Tensor[]> others = BackwardPass.currentEnds();
      List<Tensor> again = versions.stream().map(RecomputedNode::again).toList();
      Tensor result = NoGrad.suspend(() -> function.apply(again));
      @Nullable Tensor[] found = new Tensor[again.size()];
      Node root = result.gradientEdge().node();
      if (root == null) {
        return found;
      }
      BackwardPass pass =
          new BackwardPass(
              List.of(root),
              (end, gradient) -> {
                int input = end instanceof Leaf leaf ? again.indexOf(leaf.tensor()) : -1;
                if (input >= 0) {
                  found[input] = gradient[0];
                } else {
                  others.accept(end, gradient);
                }
              });
      @Nullable Tensor[] start = new Tensor[root.outputs()];
      start[result.gradientEdge().output()] = gradients[0];
      pass.resolve(root, Arrays.asList(start));
      return found;
    }

    /// Throws if the enclosing pass creates a graph. The nested pass creates none, so its gradients
    /// could not be differentiated.
    private static void requireFirstOrder() {
      if (!NoGrad.isOn()) {
        throw new UnsupportedOperationException(
            "checkpoint: has no second derivative; for a pass with createGraph, compute the part"
                + " without ActivationCheckpoint");
      }
    }

    @Override
    protected boolean isOnceDifferentiable() {
      return false;
    }

    private static Tensor again(Tensor version) {
      return version.dtype().isFloating() ? Tensor.parameterOf(version) : version;
    }

    @Override
    public String toString() {
      return "checkpoint";
    }
  }
}
