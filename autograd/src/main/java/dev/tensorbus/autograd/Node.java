// SPDX-License-Identifier: Apache-2.0
package dev.tensorbus.autograd;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One function recorded in the graph: it turns the gradients of its outputs into the gradients
/// of its inputs. After `torch::autograd::Node`.
///
/// A node is made while the forward pass runs and is never changed afterwards. [BackwardPass]
/// calls it at most once in a pass, after every use of its outputs has answered.
public abstract class Node {
  private final int outputs;
  private final List<Edge> inputs;

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

  /// Computes the gradients of the inputs.
  ///
  /// @param gradients one for each output; null where nothing depends on that output, not all
  ///     null
  /// @return one for each input; null where there is none
  protected abstract @Nullable Tensor[] backward(@Nullable Tensor[] gradients);

  /// The name that messages use.
  @Override
  public abstract String toString();
}
