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

/// A function recorded in the graph. It computes the gradients of its inputs from those of its
/// outputs. Like `torch::autograd::Node`.
///
/// A node is created during the forward pass. Only its hooks change afterwards. [BackwardPass]
/// calls it at most once per pass, after every use of its outputs has answered.
public abstract class Node {
  private final int outputs;
  private final List<Edge> inputs;
  private final @Nullable Throwable place = Anomaly.place();
  private volatile List<Hook> hooks = List.of();

  /// Creates a function with `outputs` results.
  ///
  /// @param inputs where each input's gradient goes; [Edge#NONE] where none is required
  protected Node(int outputs, List<Edge> inputs) {
    this.outputs = outputs;
    this.inputs = List.copyOf(inputs);
  }

  /// Returns the number of results.
  public final int outputs() {
    return outputs;
  }

  /// Returns where the gradients of the inputs go, in the inputs' order.
  public final List<Edge> inputs() {
    return inputs;
  }

  /// Registers a function that is called with each complete gradient of an output; its result
  /// replaces the gradient.
  ///
  /// @param isUserCode whether the function is user code
  public final synchronized Hook register(
      int output, UnaryOperator<Tensor> function, boolean isUserCode) {
    Hook hook = new Hook(this, output, function, isUserCode);
    List<Hook> more = new ArrayList<>(hooks);
    more.add(hook);
    hooks = List.copyOf(more);
    return hook;
  }

  /// A function that is called with each gradient of a tensor; see [Tensor#registerHook].
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

    /// Removes the hook.
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

  /// Calls the hooks with the gradients that they are registered for.
  final void callHooks(@Nullable Tensor[] gradients) {
    for (Hook hook : hooks) {
      Tensor gradient = gradients[hook.output];
      if (gradient != null) {
        gradients[hook.output] = hook.call(gradient);
      }
    }
  }

  /// Returns for each input whether its gradient is required.
  public final boolean[] needed() {
    boolean[] needed = new boolean[inputs.size()];
    for (int input = 0; input < needed.length; input++) {
      needed[input] = inputs.get(input).node() != null;
    }
    return needed;
  }

  /// Computes the gradients of these inputs, and checks them for NaN if the graph was recorded with
  /// anomaly detection.
  ///
  /// @param gradients as in [#backward]
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

  /// Returns whether [#backward] computes gradients without recording. In a pass with
  /// [Backward#createGraph] these gradients then have no gradients themselves: a pass that needs
  /// one fails with an error that names this function. Override it to return false if `backward`
  /// consists of operations on tensors, which keep their place in the graph. Like torch's
  /// `once_differentiable`.
  protected boolean isOnceDifferentiable() {
    return true;
  }

  /// Computes the gradients of the inputs.
  ///
  /// @param gradients one for each output; null where nothing depends on that output, but not all
  ///     null
  /// @param needed for each input whether its gradient is needed
  /// @return one for each input; null where there is none, or it is not needed
  protected abstract @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed);

  /// Splits [#gradients] by inputs, including the check for NaN; null if [#splitBackward] returns
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

  /// Starts a computation of the inputs' gradients that can be split: some now and others later,
  /// possibly on another thread. For functions where this costs no more and takes so long that a
  /// caller benefits from getting some gradients early.
  ///
  /// @param gradients as in [#backward]
  /// @return the remaining work; null if [#backward] computes everything at once
  protected @Nullable SplitBackward splitBackward(@Nullable Tensor[] gradients) {
    return null;
  }

  /// Computes the gradients of some inputs at a time, as pipelines without bubbles do: input
  /// gradients first, weight gradients later (Qi et al., "Zero Bubble Pipeline Parallelism", 2023).
  @FunctionalInterface
  public interface SplitBackward {
    /// Computes the gradients of these inputs, as [Node#backward] does.
    @Nullable Tensor[] gradients(boolean[] needed);
  }

  /// Returns whether this function is user code, which may do anything, including blocking.
  /// Functions of the library only compute and return false.
  protected boolean isUserCode() {
    return true;
  }

  /// Returns whether this function or a hook on it is user code.
  final boolean runsUserCode() {
    return isUserCode() || hooks.stream().anyMatch(hook -> hook.isUserCode);
  }

  /// Returns the name for error messages.
  @Override
  public abstract String toString();
}
