// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.rpc.graph.pass;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.graph.BackwardPass;
import dev.tensorbus.autograd.graph.Leaf;
import dev.tensorbus.autograd.graph.Node;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A schedule in which gradients that another worker waits for have priority. Gradients of weights
/// are not needed until the pass ends.
///
/// While another worker waits for gradients from this one, a function whose backward can be
/// [split][Node#split] computes only its input gradients in the sweep, and another thread computes
/// the gradients of its leaves concurrently. When no worker waits, the sweep computes all gradients
/// itself.
///
/// Leaves get their gradients in the order of the sweep, whichever thread is faster, so sums do not
/// depend on timing.
///
/// Guarded by the lock of the pass.
final class SplitSchedule implements BackwardPass.Schedule {
  private final Consumer<Runnable> executor;

  /// Gradients that have not reached their leaves yet, in sweep order.
  private final ArrayDeque<LeafGradients> queue = new ArrayDeque<>();

  /// The number of receive functions not answered yet.
  private int awaited;

  /// @param executor runs a task concurrently with the sweep, and calls [#giveToLeaves] after each
  ///     task
  SplitSchedule(Consumer<Runnable> executor) {
    this.executor = executor;
  }

  /// The gradients of a function's leaf inputs.
  private static final class LeafGradients {
    private final Node node;
    private final boolean[] leaves;
    private volatile @Nullable Tensor @Nullable [] found;

    private LeafGradients(Node node, boolean[] leaves) {
      this.node = node;
      this.leaves = leaves;
    }

    private void compute(Node.SplitBackward split) {
      found = split.gradients(leaves);
    }
  }

  /// Counts a receive function to be answered.
  void expectReceive() {
    awaited++;
  }

  /// Records that a receive function was answered.
  void answeredReceive() {
    awaited--;
  }

  @Override
  public void run(BackwardPass pass, Node node, @Nullable Tensor[] gradients) {
    boolean[] needed = node.needed();
    boolean[] leaves = inputs(node, true);
    boolean hasLeaves = isAny(leaves);
    Node.SplitBackward split = awaited > 0 && hasLeaves ? node.split(gradients) : null;
    if (split != null) {
      split(pass, node, split);
    } else if (hasLeaves && !queue.isEmpty()) {
      @Nullable Tensor[] found = node.gradients(gradients, needed);
      LeafGradients computed = new LeafGradients(node, leaves);
      computed.found = found;
      queue.add(computed);
      pass.give(node, inputs(node, false), found);
    } else {
      pass.give(node, needed, node.gradients(gradients, needed));
    }
  }

  private void split(BackwardPass pass, Node node, Node.SplitBackward split) {
    LeafGradients later = new LeafGradients(node, inputs(node, true));
    queue.add(later);
    executor.accept(() -> NoGrad.run(() -> later.compute(split)));
    boolean[] others = inputs(node, false);
    pass.give(node, others, split.gradients(others));
  }

  /// Returns which inputs need a gradient and are leaves or, if `leaves` is false, are not leaves.
  private static boolean[] inputs(Node node, boolean leaves) {
    boolean[] inputs = node.needed();
    for (int input = 0; input < inputs.length; input++) {
      inputs[input] &= node.inputs().get(input).node() instanceof Leaf == leaves;
    }
    return inputs;
  }

  private static boolean isAny(boolean[] inputs) {
    for (boolean input : inputs) {
      if (input) {
        return true;
      }
    }
    return false;
  }

  /// Passes finished gradients to their leaves, up to the first one that is still being computed,
  /// and runs every function that becomes ready.
  void giveToLeaves(BackwardPass pass) {
    pass.resume(
        () -> {
          for (LeafGradients first = queue.peek();
              first != null && first.found != null;
              first = queue.peek()) {
            queue.remove();
            pass.give(first.node, first.leaves, Objects.requireNonNull(first.found));
          }
        });
  }
}
