// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import dev.tensorbus.autograd.op.ArithmeticOps;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
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
/// Somebody waits for ends that are no leaves. As long as there are any, gradients of leaves that
/// can be computed apart are [given to the owner][#BackwardPass(Collection, BiConsumer, Consumer)]
/// as work for another thread, while the sweep goes on towards what is waited for.
///
/// Not thread-safe: its owner calls it from one thread at a time.
public final class BackwardPass {
  /// Where the gradients go that the pass on this thread finds.
  private static final ScopedValue<BiConsumer<Node, @Nullable Tensor[]>> CURRENT =
      ScopedValue.newInstance();

  private final IdentityHashMap<Node, Awaiting> awaiting = new IdentityHashMap<>();
  private final ArrayDeque<Node> ready = new ArrayDeque<>();
  private final BiConsumer<Node, @Nullable Tensor[]> ends;
  private final @Nullable Consumer<Runnable> apart;

  /// What leaves get, from the first that is computed apart and has yet to be handed on. They add
  /// up what they get in the order of the sweep, whoever computes faster.
  private final ArrayDeque<Share> line = new ArrayDeque<>();

  private Map<Edge, @Nullable Tensor> watched = Map.of();

  /// Ends yet to come that are no leaves.
  private int waitedFor;

  /// Prepares a sweep from these roots that computes everything itself.
  ///
  /// @param ends takes each end of the graph once, with the whole gradients of its outputs; null
  ///     where there is none
  public BackwardPass(Collection<? extends Node> roots, BiConsumer<Node, @Nullable Tensor[]> ends) {
    this(roots, ends, null);
  }

  /// Prepares a sweep from these roots that leaves work to others.
  ///
  /// @param ends takes each end of the graph once, with the whole gradients of its outputs; null
  ///     where there is none
  /// @param apart takes work that any thread may do, beside the sweep too; [#handOn] is to follow
  public BackwardPass(
      Collection<? extends Node> roots,
      BiConsumer<Node, @Nullable Tensor[]> ends,
      @Nullable Consumer<Runnable> apart) {
    this.ends = ends;
    this.apart = apart;
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

  /// Answers a root with the gradients of its outputs and runs all that this makes ready.
  ///
  /// @param gradients one for each output; null where there is none
  public void resolve(Node root, List<@Nullable Tensor> gradients) {
    for (int output = 0; output < gradients.size(); output++) {
      add(root, output, gradients.get(output));
    }
    answer(root);
    unrecorded(this::sweep);
  }

  /// Gives leaves what has been computed apart, and runs all that this makes ready.
  public void handOn() {
    unrecorded(
        () -> {
          for (Share share = line.peek();
              share != null && share.isComputed();
              share = line.peek()) {
            give(line.remove());
            sweep();
          }
        });
  }

  /// Gradients are not recorded: there are no second derivatives.
  private void unrecorded(Runnable body) {
    NoGrad.run(() -> ScopedValue.where(CURRENT, ends).run(body));
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
        hand(new Share(node).withNone());
      }
    }
  }

  private void run(Node node, @Nullable Tensor[] gradients) {
    Share share = new Share(node);
    Node.Parts parts =
        apart != null && waitedFor > 0 && share.hasLeaves() ? node.parts(gradients) : null;
    if (apart != null && parts != null) {
      Share ofLeaves = share.only(true);
      line.add(ofLeaves);
      apart.accept(() -> NoGrad.run(() -> ofLeaves.compute(parts)));
      hand(share.only(false).compute(parts));
    } else {
      hand(share.compute(needed -> node.gradients(gradients, needed)));
    }
  }

  /// Gives what was found to whom it is for; to leaves not past others in line.
  private void hand(Share share) {
    if (line.isEmpty() || !share.hasLeaves()) {
      give(share);
    } else {
      line.add(share.only(true));
      give(share.only(false));
    }
  }

  private void give(Share share) {
    @Nullable Tensor[] found = share.found();
    for (int input = 0; input < found.length; input++) {
      Edge edge = share.node.inputs().get(input);
      if (share.needed[input] && edge.node() != null) {
        add(edge.node(), edge.output(), found[input]);
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

  /// Some inputs of a function, whose gradients are computed together, by one thread, and handed on
  /// by the owner of the pass.
  private static final class Share {
    private final Node node;
    private final boolean[] needed;
    private volatile @Nullable Tensor @Nullable [] found;

    /// All inputs.
    private Share(Node node) {
      this(node, new boolean[node.inputs().size()]);
      for (int input = 0; input < needed.length; input++) {
        needed[input] = node.inputs().get(input).node() != null;
      }
    }

    private Share(Node node, boolean[] needed) {
      this.node = node;
      this.needed = needed;
    }

    private boolean isLeaf(int input) {
      return node.inputs().get(input).node() instanceof Leaf;
    }

    private boolean hasLeaves() {
      return IntStream.range(0, needed.length).anyMatch(input -> needed[input] && isLeaf(input));
    }

    /// Those inputs that are leaves, or those that are not.
    private Share only(boolean leaves) {
      boolean[] some = needed.clone();
      for (int input = 0; input < some.length; input++) {
        some[input] &= isLeaf(input) == leaves;
      }
      Share share = new Share(node, some);
      share.found = found;
      return share;
    }

    /// With no gradient for any input.
    private Share withNone() {
      found = new Tensor[needed.length];
      return this;
    }

    private Share compute(Node.Parts backward) {
      found = backward.backward(needed);
      return this;
    }

    private boolean isComputed() {
      return found != null;
    }

    private @Nullable Tensor[] found() {
      return Objects.requireNonNull(found);
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
