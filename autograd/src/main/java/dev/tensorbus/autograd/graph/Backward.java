// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A backward pass with all its options: `Backward.from(loss).and(other, gradient).run()`. The
/// common case is [Tensor#backward].
///
/// A graph lives as long as one of its results is reachable, and its saved values never change. A
/// pass may therefore run over the same graph any number of times: torch's `retain_graph` is always
/// on.
///
/// Gradients have no graph themselves, unless the pass [creates one][#createGraph].
public final class Backward {
  private final List<Root> roots;
  private final boolean createsGraph;

  private Backward(List<Root> roots, boolean createsGraph) {
    this.roots = List.copyOf(roots);
    this.createsGraph = createsGraph;
  }

  private record Root(Node node, int output, Tensor gradient) {
    private List<@Nullable Tensor> gradients(boolean createsGraph) {
      @Nullable Tensor[] gradients = new Tensor[node.outputs()];
      gradients[output] = createsGraph ? gradient : gradient.detach();
      return Arrays.asList(gradients);
    }
  }

  private static Root root(Tensor root, Tensor gradient) {
    Edge origin = root.gradientEdge();
    if (origin.node() == null) {
      throw new IllegalStateException(
          "backward: neither this tensor nor any that it was computed from requires a gradient;"
              + " results of remote calls require one only in a DistAutograd.context, and gradients"
              + " only after a pass with createGraph");
    }
    return new Root(origin.node(), origin.output(), gradient.to(root.dtype()));
  }

  /// Returns a pass that starts from a tensor with a single value, whose gradient is 1.
  ///
  /// @throws ShapeException if the tensor holds more than one value
  public static Backward from(Tensor loss) {
    return new Backward(List.of(), false).and(loss);
  }

  /// Returns a pass that starts from a tensor with the given gradient.
  ///
  /// @throws ShapeException if the gradient has a different shape
  public static Backward from(Tensor root, Tensor gradient) {
    return new Backward(List.of(), false).and(root, gradient);
  }

  /// Returns a pass that also starts from another tensor with a single value, whose gradient is 1.
  ///
  /// @throws ShapeException if the tensor holds more than one value
  public Backward and(Tensor loss) {
    Root root = root(loss, Tensor.full(loss.shape(), loss.dtype(), 1));
    if (loss.shape().numel() != 1) {
      throw new ShapeException(
          "backward", loss.shape() + " is not a single value; pass the gradient to start from");
    }
    return with(root);
  }

  /// Returns a pass that also starts from another tensor, with the given gradient.
  ///
  /// @throws ShapeException if the gradient has a different shape
  public Backward and(Tensor root, Tensor gradient) {
    Root more = root(root, gradient);
    if (!root.shape().equals(gradient.shape())) {
      throw new ShapeException(
          "backward", "gradient " + gradient.shape() + " does not fit " + root.shape());
    }
    return with(more);
  }

  private Backward with(Root root) {
    List<Root> more = new ArrayList<>(roots);
    more.add(root);
    return new Backward(more, createsGraph);
  }

  /// Returns a pass that records how gradients are computed. The gradients can then be
  /// differentiated with respect to everything they depend on, including the gradients given for
  /// the roots. Such a pass is slower and needs more memory. If a function has no second
  /// derivative, a later pass that needs it fails. Like torch's `create_graph`.
  public Backward createGraph() {
    return new Backward(roots, true);
  }

  /// Computes the gradient of every leaf that the roots depend on, and adds it to the leaf's
  /// [Tensor#grad].
  public void run() {
    Set<Consumer<LeafGradients>> after = new LinkedHashSet<>();
    sweep(new BackwardPass(nodes(), (end, gradients) -> accumulate(end, gradients, after)));
    after.forEach(action -> action.accept(LeafGradients.OWN));
  }

  /// Registers an action that runs at the end of each [#run], and of each distributed pass started
  /// on this worker, if the pass computes a gradient of this leaf. An action that is registered for
  /// several leaves runs only once per pass, on the thread of the pass. Use it to change the
  /// gradients of several leaves together. Like `queue_callback` of torch's engine.
  ///
  /// @throws IllegalStateException if the tensor is the result of a recorded operation
  public static void afterEach(Tensor leaf, Consumer<LeafGradients> action) {
    leaf.leaf().addAfter(action);
  }

  /// Accumulates the gradient if the end is a leaf. Other ends process their gradients themselves.
  private static void accumulate(
      Node end, @Nullable Tensor[] gradients, Set<Consumer<LeafGradients>> after) {
    boolean hasGradient = Arrays.stream(gradients).anyMatch(Objects::nonNull);
    if (end instanceof Leaf leaf && hasGradient) {
      leaf.accumulate(Objects.requireNonNull(gradients[0]));
      after.addAll(leaf.after());
    } else if (hasGradient) {
      end.gradients(gradients, end.needed());
    }
  }

  /// Computes the gradients of these tensors, leaves or not, without changing any [Tensor#grad].
  /// Computes other gradients, and calls their hooks, only if these gradients depend on them. Like
  /// `torch.autograd.grad`.
  ///
  /// @return one gradient for each tensor, or null if the roots do not depend on it
  /// @throws IllegalArgumentException if a tensor requires no gradient
  public List<@Nullable Tensor> gradientsOf(Tensor... tensors) {
    Map<Edge, @Nullable Tensor> captured = new HashMap<>();
    for (Tensor tensor : tensors) {
      if (!tensor.requiresGrad()) {
        throw new IllegalArgumentException(
            "gradientsOf: tensor " + tensor.shape() + " requires no gradient");
      }
      captured.put(tensor.gradientEdge(), null);
    }
    if (!captured.isEmpty()) {
      sweep(BackwardPass.capturing(nodes(), captured));
    }
    List<@Nullable Tensor> found = new ArrayList<>();
    for (Tensor tensor : tensors) {
      found.add(captured.get(tensor.gradientEdge()));
    }
    return Collections.unmodifiableList(found);
  }

  private List<Node> nodes() {
    return roots.stream().map(Root::node).toList();
  }

  private void sweep(BackwardPass pass) {
    if (createsGraph) {
      pass.createGraph();
    }
    for (Root root : roots) {
      if (pass.awaits(root.node())) {
        pass.resolve(root.node(), root.gradients(createsGraph));
      }
    }
  }
}
