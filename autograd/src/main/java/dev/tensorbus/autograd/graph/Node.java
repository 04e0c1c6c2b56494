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

/// A function recorded in the graph. It computes the gradients of its inputs from the gradients of
/// its outputs. Like `torch::autograd::Node`.
///
/// A node is created during the forward pass. Only its hooks change afterwards. A [BackwardPass]
/// runs it at most once, when the gradients of its outputs are complete.
public abstract class Node {
  private final int outputs;
  private final List<Edge> inputs;
  private final @Nullable Throwable place = Anomaly.place();
  private volatile List<Hook> hooks = List.of();

  /// Creates a function with `outputs` results.
  ///
  /// @param inputs the destination of each input's gradient; [Edge#NONE] if it requires none
  protected Node(int outputs, List<Edge> inputs) {
    this.outputs = outputs;
    this.inputs = List.copyOf(inputs);
  }

  /// Returns the number of results.
  public final int outputs() {
    return outputs;
  }

  /// Returns the destinations of the inputs' gradients, in the inputs' order.
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
            "%s %s cannot replace a gradient %s %s"
                .formatted(replaced.dtype(), replaced.shape(), gradient.dtype(), gradient.shape()));
      }
      return NoGrad.isOn() ? replaced.detach() : replaced;
    }
  }

  /// Calls each hook with the gradient of its output.
  final void callHooks(@Nullable Tensor[] gradients) {
    for (Hook hook : hooks) {
      Tensor gradient = gradients[hook.output];
      if (gradient != null) {
        gradients[hook.output] = hook.call(gradient);
      }
    }
  }

  /// Returns, for each input, whether its gradient is required.
  public final boolean[] needed() {
    boolean[] needed = new boolean[inputs.size()];
    for (int input = 0; input < needed.length; input++) {
      needed[input] = inputs.get(input).node() != null;
    }
    return needed;
  }

  /// Computes the gradients of the needed inputs, and checks them for NaN if the graph was recorded
  /// with anomaly detection.
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

  /// Returns whether [#backward] computes gradients without recording operations. If so, the
  /// gradients from a pass with [Backward#createGraph] cannot be differentiated; trying to do so
  /// fails with an error that names this function. Override this method to return false if
  /// `backward` uses only tensor operations, which are recorded. Like torch's
  /// `once_differentiable`.
  protected boolean isOnceDifferentiable() {
    return true;
  }

  /// Computes the gradients of the inputs.
  ///
  /// @param gradients one for each output, or null if nothing depends on it; at least one is not
  ///     null
  /// @param needed for each input, whether its gradient is needed
  /// @return one for each input, or null if it has none or is not needed
  protected abstract @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed);

  /// Splits the work of [#gradients], including the check for NaN, by inputs. Returns null if
  /// [#splitBackward] does.
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

  /// Prepares to compute the inputs' gradients in several steps: some now and others later,
  /// possibly on another thread. Override this method if splitting adds no cost and the computation
  /// is long enough for a caller to benefit from early gradients.
  ///
  /// @param gradients as in [#backward]
  /// @return the remaining work, or null if [#backward] must compute everything at once
  protected @Nullable SplitBackward splitBackward(@Nullable Tensor[] gradients) {
    return null;
  }

  /// Computes the gradients of some inputs per call. Zero-bubble pipelines compute input gradients
  /// first and weight gradients later (Qi et al., "Zero Bubble Pipeline Parallelism", 2023).
  @FunctionalInterface
  public interface SplitBackward {
    /// Computes the gradients of the needed inputs, as [Node#backward] does.
    @Nullable Tensor[] gradients(boolean[] needed);
  }

  /// Returns whether this function is user code, which may do anything, including blocking. The
  /// library's own functions only compute, so they return false.
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
