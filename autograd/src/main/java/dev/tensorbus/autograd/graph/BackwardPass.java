// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One sweep over the graph, from roots to leaves: the reverse mode of automatic differentiation
/// (Griewank and Walther, "Evaluating Derivatives", chapter 3.2).
///
/// A function runs as soon as all functions that use its results have answered, either with a
/// gradient or with *none*. The sweep is therefore complete when every root is
/// [resolved][#resolve], in whatever order.
///
/// Functions without inputs, such as a [Leaf], are the ends of the graph. The sweep does not run
/// them but passes their gradients to the owner's callback.
///
/// A [Schedule] may run functions later or on other threads. By default, each function runs in the
/// sweep as soon as it is ready.
///
/// Not thread-safe: the owner must call it from only one thread at a time.
public final class BackwardPass {
  /// The `ends` callback of the pass that is running a function on this thread.
  private static final ScopedValue<BiConsumer<Node, @Nullable Tensor[]>> CURRENT =
      ScopedValue.newInstance();

  private final IdentityHashMap<Node, InputBuffer> waiting = new IdentityHashMap<>();
  private final ArrayDeque<Node> ready = new ArrayDeque<>();
  private final BiConsumer<Node, @Nullable Tensor[]> ends;
  private final Schedule schedule;
  private Map<Edge, @Nullable Tensor> captured = Map.of();
  private boolean createsGraph;

  /// Decides when and on which thread functions run.
  @FunctionalInterface
  public interface Schedule {
    /// Computes the gradients of a function's inputs and reports them with [BackwardPass#give],
    /// either before it returns or later within [BackwardPass#resume].
    ///
    /// @param gradients one for each output, or null if it has none; at least one is not null
    void run(BackwardPass pass, Node node, @Nullable Tensor[] gradients);
  }

  /// Creates a sweep from the given roots.
  ///
  /// @param ends called once for each end of the graph, with the complete gradient of each output,
  ///     or null for an output without a gradient
  public BackwardPass(Collection<? extends Node> roots, BiConsumer<Node, @Nullable Tensor[]> ends) {
    this(roots, ends, BackwardPass::compute);
  }

  /// Creates a sweep from the given roots. The given schedule runs the functions.
  ///
  /// @param ends called once for each end of the graph, with the complete gradient of each output,
  ///     or null for an output without a gradient
  public BackwardPass(
      Collection<? extends Node> roots,
      BiConsumer<Node, @Nullable Tensor[]> ends,
      Schedule schedule) {
    this(roots, ends, schedule, _ -> true);
  }

  private BackwardPass(
      Collection<? extends Node> roots,
      BiConsumer<Node, @Nullable Tensor[]> ends,
      Schedule schedule,
      Predicate<Node> part) {
    this.ends = ends;
    this.schedule = schedule;
    ArrayDeque<Node> unvisited = new ArrayDeque<>();
    for (Node root : roots) {
      if (part.test(root)) {
        expect(root, unvisited);
      }
    }
    while (!unvisited.isEmpty()) {
      for (Edge edge : unvisited.pop().inputs()) {
        if (edge.node() != null && part.test(edge.node())) {
          expect(edge.node(), unvisited);
        }
      }
    }
  }

  /// Creates a sweep that runs only the functions between the roots and the keys of `captured`, and
  /// puts the complete gradients of these outputs into the map.
  static BackwardPass capturing(
      Collection<? extends Node> roots, Map<Edge, @Nullable Tensor> captured) {
    Set<Node> part = Paths.leading(roots, captured.keySet());
    BackwardPass pass =
        new BackwardPass(roots, (end, gradients) -> {}, BackwardPass::compute, part::contains);
    pass.captured = captured;
    return pass;
  }

  /// Makes the sweep record how gradients are computed.
  void createGraph() {
    createsGraph = true;
  }

  /// Increments the number of answers that `node` waits for. On the first call for a node, also
  /// adds it to `unvisited`.
  private void expect(Node node, ArrayDeque<Node> unvisited) {
    InputBuffer buffer = waiting.get(node);
    if (buffer == null) {
      buffer = new InputBuffer(node.outputs());
      waiting.put(node, buffer);
      unvisited.push(node);
    }
    buffer.expect();
  }

  private static void compute(BackwardPass pass, Node node, @Nullable Tensor[] gradients) {
    boolean[] needed = pass.needed(node);
    if (pass.captured.isEmpty() || IntStream.range(0, needed.length).anyMatch(i -> needed[i])) {
      pass.give(node, needed, node.gradients(gradients, needed));
    }
  }

  /// Returns, for each input of a function, whether this sweep needs its gradient.
  private boolean[] needed(Node node) {
    boolean[] needed = node.needed();
    for (int input = 0; input < needed.length && !captured.isEmpty(); input++) {
      Node next = node.inputs().get(input).node();
      needed[input] = next != null && waiting.containsKey(next);
    }
    return needed;
  }

  /// Returns the `ends` callback of the pass that is running a function on this thread.
  static BiConsumer<Node, @Nullable Tensor[]> currentEnds() {
    return CURRENT.get();
  }

  /// Returns whether the sweep has yet to run this function.
  public boolean awaits(Node node) {
    return waiting.containsKey(node);
  }

  /// Returns whether any function that has yet to run is user code or has a hook that is user code.
  /// User code may block.
  public boolean awaitsUserCode() {
    return waiting.keySet().stream().anyMatch(Node::runsUserCode);
  }

  /// Returns whether every function has run.
  public boolean isDone() {
    return waiting.isEmpty();
  }

  /// Provides the gradients of a root's outputs and runs all functions that become ready.
  ///
  /// @param gradients one for each output, or null if it has none
  public void resolve(Node root, List<@Nullable Tensor> gradients) {
    resume(
        () -> {
          for (int output = 0; output < gradients.size(); output++) {
            buffer(root).add(output, gradients.get(output));
          }
          answer(root);
        });
  }

  /// Runs `body`, which calls [#give], and then all functions that become ready. The computation is
  /// recorded only if the pass creates a graph.
  public void resume(Runnable body) {
    Runnable pass =
        () ->
            ScopedValue.where(CURRENT, ends)
                .run(
                    () -> {
                      body.run();
                      sweep();
                    });
    if (createsGraph) {
      NoGrad.runSuspended(pass);
    } else {
      NoGrad.run(pass);
    }
  }

  private void sweep() {
    for (Node node = ready.poll(); node != null; node = ready.poll()) {
      InputBuffer buffer = buffer(node);
      waiting.remove(node);
      @Nullable Tensor[] gradients = buffer.sums();
      node.callHooks(gradients);
      capture(node, gradients);
      if (node.inputs().isEmpty()) {
        ends.accept(node, gradients);
      } else if (buffer.hasGradient()) {
        schedule.run(this, node, gradients);
      } else {
        give(node, needed(node), new Tensor[node.inputs().size()]);
      }
    }
  }

  /// Passes gradients of a function's inputs on to the functions that computed these inputs. Called
  /// within [Schedule#run] or [#resume].
  ///
  /// @param which for each input, whether its gradient is passed on now
  /// @param gradients one for each input, or null if it has none
  public void give(Node node, boolean[] which, @Nullable Tensor[] gradients) {
    for (int input = 0; input < which.length; input++) {
      Edge edge = node.inputs().get(input);
      if (which[input] && edge.node() != null) {
        buffer(edge.node()).add(edge.output(), gradients[input]);
        answer(edge.node());
      }
    }
  }

  private void answer(Node node) {
    if (buffer(node).answer()) {
      ready.add(node);
    }
  }

  private void capture(Node node, @Nullable Tensor[] gradients) {
    for (int output = 0; output < gradients.length && !captured.isEmpty(); output++) {
      Edge edge = new Edge(node, output);
      if (captured.containsKey(edge)) {
        captured.put(edge, gradients[output]);
      }
    }
  }

  private InputBuffer buffer(Node node) {
    InputBuffer buffer = waiting.get(node);
    if (buffer == null) {
      throw new IllegalStateException(node + " is not awaited in this backward pass");
    }
    return buffer;
  }
}
