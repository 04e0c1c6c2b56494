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

/// Trades time for memory: keeps a part's inputs only and computes the part again in the backward
/// pass. After `torch.utils.checkpoint`.
///
/// The part is a function that gives the same again. Where it draws random numbers, it makes its
/// generator itself, from a seed; parameters that it uses without being given them are read
/// again, in the version that they have then. Its inputs keep theirs, and tensors that came from
/// other workers have to be inputs.
public final class ActivationCheckpoint {
  private ActivationCheckpoint() {}

  /// Computes `function` of one tensor without keeping what lies between.
  public static Tensor call(UnaryOperator<Tensor> function, Tensor input) {
    return callAll(inputs -> function.apply(inputs.getFirst()), input);
  }

  /// Computes `function` of several tensors without keeping what lies between.
  public static Tensor callAll(Function<List<Tensor>, Tensor> function, Tensor... inputs) {
    List<Tensor> versions = Arrays.stream(inputs).map(Tensor::detach).toList();
    Tensor value = NoGrad.call(() -> function.apply(versions)).detach();
    return NoGrad.isOn()
        ? value
        : Tensor.recorded(value, new Edge(new RecomputedNode(function, versions, inputs), 0));
  }

  /// The part in the graph.
  private static final class RecomputedNode extends Node {
    private final Function<List<Tensor>, Tensor> function;
    private final List<Tensor> versions;

    private RecomputedNode(
        Function<List<Tensor>, Tensor> function, List<Tensor> versions, Tensor... inputs) {
      super(1, Arrays.stream(inputs).map(Tensor::gradientEdge).toList());
      this.function = function;
      this.versions = versions;
    }

    /// Records the part and sweeps it. Other tensors that it uses, such as parameters, get their
    /// gradients where those of the pass around it go.
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

    /// Leaves that the part uses get their gradients in a pass of its own, which records nothing.
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
