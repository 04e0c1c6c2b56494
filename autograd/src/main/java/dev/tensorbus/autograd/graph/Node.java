// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd.graph;

import dev.tensorbus.autograd.NoGrad;
import dev.tensorbus.autograd.ShapeException;
import dev.tensorbus.autograd.Tensor;
import dev.tensorbus.autograd.profiler.OperationEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One function recorded in the graph. It turns the gradients of its outputs into the gradients of
/// its inputs. After `torch::autograd::Node`.
///
/// A node is made while the forward pass runs. Only its hooks change afterwards.
/// [BackwardPass] calls it at most once in a pass, after every use of its outputs has answered.
public abstract class Node {
  private final int outputs;
  private final List<Edge> inputs;
  private final @Nullable Throwable place = Anomaly.place();
  private volatile List<Hook> hooks = List.of();

  /// Records a function of `outputs` results.
  ///
  /// @param inputs where each input's gradient goes; [Edge#NONE] where none is wanted
  protected Node(int outputs, List<Edge> inputs) {
    this.outputs = outputs;
    this.inputs = List.copyOf(inputs);
  }

  /// How many results the function has.
  public final int outputs() {
    return outputs;
  }

  /// Where the gradients of the inputs go, in the inputs' order.
  public final List<Edge> inputs() {
    return inputs;
  }

  /// Calls a function with each whole gradient of an output; its result takes the gradient's place.
  ///
  /// @param isUserCode whether a user wrote it
  public final synchronized Hook register(
      int output, UnaryOperator<Tensor> function, boolean isUserCode) {
    Hook hook = new Hook(this, output, function, isUserCode);
    List<Hook> more = new ArrayList<>(hooks);
    more.add(hook);
    hooks = List.copyOf(more);
    return hook;
  }

  /// A function that sees each gradient of a tensor; see [Tensor#registerHook].
  public static final class Hook {
    private final Node node;
    private final int output;
    private final UnaryOperator<Tensor> function;
    private final boolean isUserCode;

    private Hook(Node node, int output, UnaryOperator<Tensor> function, boolean isUserCode) {
      this.node = node;
      this.output = output;
      this.function = function;
      this.isUserCode = isUserCode;
    }

    /// Has it see no more gradients.
    public void remove() {
      synchronized (node) {
        node.hooks = node.hooks.stream().filter(hook -> hook != this).toList();
      }
    }

    private Tensor call(Tensor gradient) {
      Tensor replaced = function.apply(gradient);
      if (!replaced.shape().equals(gradient.shape()) || replaced.dtype() != gradient.dtype()) {
        throw new ShapeException(
            "hook",
            "%s %s does not replace a gradient %s %s"
                .formatted(replaced.dtype(), replaced.shape(), gradient.dtype(), gradient.shape()));
      }
      return NoGrad.isOn() ? replaced.detach() : replaced;
    }
  }

  /// Shows the hooks the gradients that they wait for.
  final void callHooks(@Nullable Tensor[] gradients) {
    for (Hook hook : hooks) {
      Tensor gradient = gradients[hook.output];
      if (gradient != null) {
        gradients[hook.output] = hook.call(gradient);
      }
    }
  }

  /// For each input whether its gradient is wanted.
  public final boolean[] needed() {
    boolean[] needed = new boolean[inputs.size()];
    for (int input = 0; input < needed.length; input++) {
      needed[input] = inputs.get(input).node() != null;
    }
    return needed;
  }

  /// Computes the gradients of these inputs and looks for NaN if the graph was recorded so.
  ///
  /// @param gradients as [#backward] takes them
  public final @Nullable Tensor[] gradients(@Nullable Tensor[] gradients, boolean[] needed) {
    OperationEvent event = OperationEvent.begun();
    @Nullable Tensor[] found =
        isOnceDifferentiable() && !NoGrad.isOn()
            ? OnceDifferentiable.gradients(this, gradients, needed)
            : backward(gradients, needed);
    event.endBackward(this, gradients, found);
    Anomaly.require(this, place, found);
    return found;
  }

  /// Whether [#backward] computes its gradients in a way that is not recorded. Those of a pass with
  /// [Backward#createGraph] have no gradients then: a pass that needs one ends with an error which
  /// names this function. A function whose `backward` consists of operations on tensors, which keep
  /// their places in the graph, says no. After torch's `once_differentiable`.
  protected boolean isOnceDifferentiable() {
    return true;
  }

  /// Computes the gradients of the inputs.
  ///
  /// @param gradients one for each output; null where nothing depends on that output, not all
  ///     null
  /// @param needed for each input whether its gradient is wanted
  /// @return one for each input; null where there is none, or it is not wanted
  protected abstract @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed);

  /// The same for some inputs at a time, with the look for NaN; null if [#splitBackward] gives
  /// null.
  public final @Nullable SplitBackward split(@Nullable Tensor[] gradients) {
    SplitBackward split = splitBackward(gradients);
    return split == null
        ? null
        : needed -> {
          OperationEvent event = OperationEvent.begun();
          @Nullable Tensor[] found = split.gradients(needed);
          event.endBackward(this, gradients, found);
          Anomaly.require(this, place, found);
          return found;
        };
  }

  /// Begins to compute the gradients of the inputs so that some are computed now and others later,
  /// by another thread meanwhile. For a function where this costs no more and takes so long that
  /// somebody may like to have the first before the others.
  ///
  /// @param gradients as [#backward] takes them
  /// @return the rest of the work; null if [#backward] does it all at once
  protected @Nullable SplitBackward splitBackward(@Nullable Tensor[] gradients) {
    return null;
  }

  /// Computes the gradients of some inputs at a time, as pipelines do that have no bubbles: input
  /// gradients first, weight gradients later (Qi et al., "Zero Bubble Pipeline Parallelism", 2023).
  @FunctionalInterface
  public interface SplitBackward {
    /// Computes the gradients of these inputs, as [Node#backward] does.
    @Nullable Tensor[] gradients(boolean[] needed);
  }

  /// Whether a user wrote this function: it may do anything, block too. Functions of the library
  /// only compute, and say so.
  protected boolean isUserCode() {
    return true;
  }

  /// Whether this function or a hook on it is a user's code.
  final boolean runsUserCode() {
    return isUserCode() || hooks.stream().anyMatch(hook -> hook.isUserCode);
  }

  /// The name that messages use.
  @Override
  public abstract String toString();
}
