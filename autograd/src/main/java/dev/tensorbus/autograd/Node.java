// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// One function recorded in the graph: it turns the gradients of its outputs into the gradients
/// of its inputs. After `torch::autograd::Node`.
///
/// A node is made while the forward pass runs and, but for its hooks, never changed afterwards.
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

  /// Calls a function with each whole gradient of an output; what it returns takes its place.
  ///
  /// @param mayWait whether it may wait for something
  final synchronized Hook register(int output, UnaryOperator<Tensor> function, boolean mayWait) {
    Hook hook = new Hook(this, output, function, mayWait);
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
    private final boolean mayWait;

    private Hook(Node node, int output, UnaryOperator<Tensor> function, boolean mayWait) {
      this.node = node;
      this.output = output;
      this.function = function;
      this.mayWait = mayWait;
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
      return replaced.detach();
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

  /// Computes the gradients of these inputs and looks for NaN if the graph was recorded so.
  final @Nullable Tensor[] gradients(@Nullable Tensor[] gradients, boolean[] needed) {
    @Nullable Tensor[] found = backward(gradients, needed);
    Anomaly.require(this, place, found);
    return found;
  }

  /// Computes the gradients of the inputs.
  ///
  /// @param gradients one for each output; null where nothing depends on that output, not all
  ///     null
  /// @param needed for each input whether its gradient is wanted
  /// @return one for each input; null where there is none, or it is not wanted
  protected abstract @Nullable Tensor[] backward(@Nullable Tensor[] gradients, boolean[] needed);

  /// The same in parts, with the look for NaN; null if there are none.
  final @Nullable Parts parts(@Nullable Tensor[] gradients) {
    Parts parts = inParts(gradients);
    return parts == null
        ? null
        : needed -> {
          @Nullable Tensor[] found = parts.backward(needed);
          Anomaly.require(this, place, found);
          return found;
        };
  }

  /// Begins to compute the gradients of the inputs, if those of some may be computed now and those
  /// of others later, by another thread meanwhile, at no more cost, and take so long that somebody
  /// may like to have the first before the others.
  ///
  /// @param gradients as [#backward] takes them
  /// @return what is left to do; null if [#backward] does it all at once
  protected @Nullable Parts inParts(@Nullable Tensor[] gradients) {
    return null;
  }

  /// Computes gradients of some inputs at a time.
  @FunctionalInterface
  protected interface Parts {
    /// See [Node#backward].
    @Nullable Tensor[] backward(boolean[] needed);
  }

  /// Whether it only computes. What users write may do anything, wait too.
  protected boolean onlyComputes() {
    return false;
  }

  final boolean mayWait() {
    return !onlyComputes() || hooks.stream().anyMatch(hook -> hook.mayWait);
  }

  /// The name that messages use.
  @Override
  public abstract String toString();
}
