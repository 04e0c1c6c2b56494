// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import dev.tensorbus.autograd.op.ArithmeticOps;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
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
/// Somebody waits for ends that are no leaves. As long as there are any, the gradients of leaves
/// that can be computed apart are [left for later][#isBehind], so that the owner may hand on what
/// is waited for first.
///
/// Not thread-safe: its owner calls it from one thread at a time.
public final class BackwardPass {
  /// Where the gradients go that the pass on this thread finds.
  private static final ScopedValue<BiConsumer<Node, @Nullable Tensor[]>> CURRENT =
      ScopedValue.newInstance();

  private final IdentityHashMap<Node, Awaiting> awaiting = new IdentityHashMap<>();
  private final ArrayDeque<Node> ready = new ArrayDeque<>();
  private final ArrayDeque<Share> later = new ArrayDeque<>();
  private final BiConsumer<Node, @Nullable Tensor[]> ends;
  private Map<Edge, @Nullable Tensor> watched = Map.of();

  /// Ends yet to come that are no leaves.
  private int waitedFor;

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
      waitedFor += isWaitedFor(node) ? 1 : 0;
    }
    uses.answers++;
  }

  private static boolean isWaitedFor(Node node) {
    return node.inputs().isEmpty() && !(node instanceof Leaf);
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

  /// Whether gradients of leaves were left for later.
  public boolean isBehind() {
    return !later.isEmpty();
  }

  /// Answers a root with the gradients of its outputs and runs all that this makes ready, but for
  /// what is left for later. First does what was left before: leaves add up what they get in the
  /// order of the roots.
  ///
  /// @param gradients one for each output; null where there is none
  public void resolve(Node root, List<@Nullable Tensor> gradients) {
    finish();
    for (int output = 0; output < gradients.size(); output++) {
      add(root, output, gradients.get(output));
    }
    answer(root);
    ScopedValue.where(CURRENT, ends).run(this::sweep);
  }

  /// Does what was left for later.
  public void finish() {
    if (isBehind()) {
      ScopedValue.where(CURRENT, ends).run(this::catchUp);
    }
  }

  private void catchUp() {
    for (Share share = later.poll(); share != null; share = later.poll()) {
      hand(share, share.compute());
      sweep();
    }
  }

  private void sweep() {
    for (Node node = ready.poll(); node != null; node = ready.poll()) {
      Awaiting uses = removed(node);
      node.callHooks(uses.gradients);
      watch(node, uses.gradients);
      if (node.inputs().isEmpty()) {
        waitedFor -= isWaitedFor(node) ? 1 : 0;
        ends.accept(node, uses.gradients);
      } else if (uses.used) {
        run(node, uses.gradients);
      } else {
        Share all = Share.of(node, uses.gradients, source -> true);
        hand(all, new Tensor[node.inputs().size()]);
      }
    }
  }

  private void run(Node node, @Nullable Tensor[] gradients) {
    Predicate<Node> first = source -> true;
    if (waitedFor > 0 && node.isSeparable() && leadsToLeaf(node)) {
      first = source -> !(source instanceof Leaf);
      later.add(Share.of(node, gradients, source -> source instanceof Leaf));
    }
    Share share = Share.of(node, gradients, first);
    hand(share, share.compute());
  }

  private static boolean leadsToLeaf(Node node) {
    return node.inputs().stream().anyMatch(edge -> edge.node() instanceof Leaf);
  }

  /// Answers some inputs of a function.
  private void hand(Share share, @Nullable Tensor[] gradients) {
    for (int input = 0; input < gradients.length; input++) {
      Edge edge = share.node.inputs().get(input);
      if (share.needed[input] && edge.node() != null) {
        add(edge.node(), edge.output(), gradients[input]);
        answer(edge.node());
      }
    }
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

  /// Some inputs of a function, whose gradients are computed together.
  private record Share(Node node, @Nullable Tensor[] gradients, boolean[] needed) {
    private static Share of(Node node, @Nullable Tensor[] gradients, Predicate<Node> sources) {
      boolean[] needed = new boolean[node.inputs().size()];
      for (int input = 0; input < needed.length; input++) {
        Node source = node.inputs().get(input).node();
        needed[input] = source != null && sources.test(source);
      }
      return new Share(node, gradients, needed);
    }

    private @Nullable Tensor[] compute() {
      return node.gradients(gradients, needed);
    }
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
