// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import dev.tensorbus.autograd.op.ArithmeticOps;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// One sweep over the graph, from roots to leaves: the reverse mode of automatic differentiation
/// (Griewank and Walther, "Evaluating Derivatives", chapter 3.2).
///
/// A function runs once each use of its results has answered, with a gradient or with *none*. So
/// the sweep ends as soon as every root is [resolved][#resolve], in whatever order and from
/// wherever the roots' gradients come.
///
/// Functions without inputs, such as a [Leaf], are the ends of the graph: they are not run but
/// handed to the owner of the pass, which knows where their gradients belong.
///
/// Not thread-safe: its owner calls it from one thread at a time.
public final class BackwardPass {
  /// Where the gradients go that the pass on this thread finds.
  private static final ScopedValue<BiConsumer<Node, @Nullable Tensor[]>> CURRENT =
      ScopedValue.newInstance();

  private final IdentityHashMap<Node, Awaiting> awaiting = new IdentityHashMap<>();
  private final ArrayDeque<Node> ready = new ArrayDeque<>();
  private final BiConsumer<Node, @Nullable Tensor[]> ends;
  private Map<Edge, @Nullable Tensor> watched = Map.of();

  /// Prepares a sweep from these roots.
  ///
  /// @param ends takes each end of the graph once, with the whole gradients of its outputs; null
  ///     where there is none
  public BackwardPass(Collection<? extends Node> roots, BiConsumer<Node, @Nullable Tensor[]> ends) {
    this.ends = ends;
    ArrayDeque<Node> unvisited = new ArrayDeque<>();
    for (Node root : roots) {
      expect(root, unvisited);
    }
    while (!unvisited.isEmpty()) {
      for (Edge edge : unvisited.pop().inputs()) {
        if (edge.node() != null) {
          expect(edge.node(), unvisited);
        }
      }
    }
  }

  /// Counts one more answer that `node` waits for.
  private void expect(Node node, ArrayDeque<Node> unvisited) {
    Awaiting uses = awaiting.get(node);
    if (uses == null) {
      uses = new Awaiting(node.outputs());
      awaiting.put(node, uses);
      unvisited.push(node);
    }
    uses.answers++;
  }

  /// Puts the whole gradients of these outputs into the map when they are known.
  void watch(Map<Edge, @Nullable Tensor> watched) {
    this.watched = watched;
  }

  /// Takes the gradients of ends for the pass that runs a function on this thread now.
  static BiConsumer<Node, @Nullable Tensor[]> currentEnds() {
    return CURRENT.get();
  }

  /// Whether the sweep has yet to run this function.
  public boolean awaits(Node node) {
    return awaiting.containsKey(node);
  }

  /// Whether every function has run.
  public boolean isDone() {
    return awaiting.isEmpty();
  }

  /// Whether a function that has yet to run may wait for something, as those of users may.
  public boolean mayWait() {
    return awaiting.keySet().stream().anyMatch(Node::mayWait);
  }

  /// Answers a root with the gradients of its outputs and runs all that this makes ready.
  ///
  /// @param gradients one for each output; null where there is none
  public void resolve(Node root, List<@Nullable Tensor> gradients) {
    for (int output = 0; output < gradients.size(); output++) {
      add(root, output, gradients.get(output));
    }
    answer(root);
    ScopedValue.where(CURRENT, ends).run(this::sweep);
  }

  private void sweep() {
    for (Node node = ready.poll(); node != null; node = ready.poll()) {
      @Nullable Tensor[] gradients = run(node);
      List<Edge> inputs = node.inputs();
      for (int input = 0; input < inputs.size(); input++) {
        Node source = inputs.get(input).node();
        if (source != null) {
          add(source, inputs.get(input).output(), gradients[input]);
          answer(source);
        }
      }
    }
  }

  /// Runs a function whose uses have all answered; none of an unused one's inputs gets a
  /// gradient.
  private @Nullable Tensor[] run(Node node) {
    Awaiting uses = removed(node);
    node.callHooks(uses.gradients);
    watch(node, uses.gradients);
    if (node.inputs().isEmpty()) {
      ends.accept(node, uses.gradients);
      return uses.gradients;
    }
    return uses.used ? node.gradients(uses.gradients) : new Tensor[node.inputs().size()];
  }

  private void watch(Node node, @Nullable Tensor[] gradients) {
    for (int output = 0; output < gradients.length && !watched.isEmpty(); output++) {
      Edge edge = new Edge(node, output);
      if (watched.containsKey(edge)) {
        watched.put(edge, gradients[output]);
      }
    }
  }

  private void add(Node node, int output, @Nullable Tensor gradient) {
    if (gradient != null) {
      expected(node).add(output, gradient);
    }
  }

  private void answer(Node node) {
    if (--expected(node).answers == 0) {
      ready.add(node);
    }
  }

  private Awaiting expected(Node node) {
    return present(awaiting.get(node), node);
  }

  private Awaiting removed(Node node) {
    return present(awaiting.remove(node), node);
  }

  private static Awaiting present(@Nullable Awaiting uses, Node node) {
    if (uses == null) {
      throw new IllegalStateException(node + " is not awaited in this backward pass");
    }
    return uses;
  }

  /// What a function still waits for, and the sum of what has come.
  private static final class Awaiting {
    private final @Nullable Tensor[] gradients;
    private final boolean[] isOwnSum;
    private int answers;
    private boolean used;

    private Awaiting(int outputs) {
      this.gradients = new Tensor[outputs];
      this.isOwnSum = new boolean[outputs];
    }

    /// A sum that was made here nobody else has seen, so more is added to it in place: a weight
    /// that is used a hundred times has one array of sums, not a hundred.
    private void add(int output, Tensor gradient) {
      Tensor sum = gradients[output];
      used = true;
      if (sum == null) {
        gradients[output] = gradient;
      } else if (!isOwnSum[output]) {
        gradients[output] = sum.add(gradient);
        isOwnSum[output] = true;
      } else if (!ArithmeticOps.addInPlace(sum, gradient)) {
        gradients[output] = sum.add(gradient);
      }
    }
  }
}
